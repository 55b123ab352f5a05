// mpiexec --report PAGE and --trace FILE: the directory in which the job's processes note what
// their ranks do (src/observe), and what is made of it when the job has ended, however it has
// ended.
#pragma once
#include "plan/options.h"

#include <string>
#include <vector>

namespace mpiexec {

// Returns how a job has ended: "normally", "with exit code 3" or "with exit code 137 (SIGKILL)".
std::string ending_of(int code);

// Tells the processes of the job, in the directory in which they note what they do, which events to
// note (src/observe/event_log.h). Removes the directory and throws UsageError if that fails.
void write_trace_request(const std::string &directory, const std::string &request);

class ObservedJob {
public:
    // Makes the directory and names it in the job's settings, if the options ask for a page, a
    // trace, or a view of the running job (live_view.h). `words` are those of the command line.
    // Throws UsageError if one of them cannot be written.
    ObservedJob(Options &options, std::vector<std::string> words);
    ~ObservedJob();
    ObservedJob(const ObservedJob &) = delete;
    ObservedJob &operator=(const ObservedJob &) = delete;

    // Writes the page and the trace of a job that has ended with this exit code. Returns the exit
    // code of mpiexec: a job that ended well is a failure if one of them cannot be written.
    int finish(int code);

private:
    // A file that a program of ours writes.
    struct Product {
        const char *option;
        std::string name; // of the file, as the user gave it; "": not asked for
        std::string path;
        const char *what;
        int pipe = -1; // open if the file is one
    };

    int make(const Product &product, const char *program,
             const std::vector<std::string> &arguments);

    Product page_, trace_;
    std::string directory_;
    std::vector<std::string> words_;
    std::vector<std::string> environment_; // before that of the job is set
    bool is_quiet_;
};

} // namespace mpiexec
