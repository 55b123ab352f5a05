// A job that is not observed: reads the table of ranks in the memory of its processes, where the
// library leaves the call of each rank for reports anyway. The ranks notice nothing. How long a
// call lasts, whom a rank waits for and how many messages there are is not known.
#pragma once
#include "find_job.h"
#include "view.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace live {

class BareJob {
public:
    BareJob(const FoundJob &job, std::string symbolizer);
    ~BareJob();

    // Throws std::runtime_error if the memory may not be read.
    View look();
    // Returns whether all processes have ended.
    bool has_ended() const;

private:
    class Process;
    int site_of(Process &process, uint64_t image, uint32_t function, uint64_t address);

    std::vector<std::unique_ptr<Process>> processes_;
    std::string symbolizer_;
    std::vector<Site> sites_;
    std::map<std::pair<std::string, uint64_t>, int> site_of_place_;
};

} // namespace live
