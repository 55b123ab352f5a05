// mpiexec --report PAGE: the directory in which the job's processes note what their ranks do
// (src/observe), and the page that is made of it when the job has ended, however it has ended.
#pragma once
#include "plan/options.h"

#include <string>
#include <vector>

namespace mpiexec {

// Returns how a job has ended: "normally", "with exit code 3" or "with exit code 137 (SIGKILL)".
std::string ending_of(int code);

class ReportJob {
public:
    // Makes the directory and names it in the job's settings, if the options ask for a report, or
    // for a view of the running job (live_view.h).
    // `words` are those of the command line. Throws UsageError if the page cannot be written.
    ReportJob(Options &options, std::vector<std::string> words);
    ~ReportJob();
    ReportJob(const ReportJob &) = delete;
    ReportJob &operator=(const ReportJob &) = delete;

    // Writes the page of a job that has ended with this exit code. Returns the exit code of
    // mpiexec: a job that ended well is a failure if its page cannot be written.
    int finish(int code);

private:
    int write_page(int code);

    std::string page_, directory_;
    std::string name_; // of the page, as the user gave it
    std::vector<std::string> words_;
    std::vector<std::string> environment_; // before that of the job is set
    bool is_quiet_;
};

} // namespace mpiexec
