// A job that is not observed: reads the table of ranks in the memory of its processes, where the
// library notes the call of each rank for its reports. The ranks notice nothing. Unknown are: how
// long a call lasts, which rank it waits for, how many messages there are.
#pragma once
#include "find_job.h"
#include "watched_job.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace live {

class JobWithoutObservations : public WatchedJob {
public:
    // `job` is what was found for the id. Throws std::runtime_error if a process cannot be read.
    JobWithoutObservations(pid_t pid, const FoundJob &job);
    ~JobWithoutObservations() override;
    JobWithoutObservations(const JobWithoutObservations &) = delete;
    JobWithoutObservations &operator=(const JobWithoutObservations &) = delete;

    View look() override;
    bool has_ended() const override;

private:
    class Process;

    void add_processes(const FoundJob &job);
    void find_next_program();
    void read_rank(Process &process, const std::vector<char> &table, size_t begin, View &view);
    int site_of(Process &process, uint64_t image, uint32_t function, uint64_t address);

    pid_t pid_; // that the user has named
    std::vector<std::unique_ptr<Process>> processes_;
    std::string symbolizer_;
    std::vector<Site> sites_;
    std::map<std::pair<std::string, uint64_t>, int> site_of_place_;
};

} // namespace live
