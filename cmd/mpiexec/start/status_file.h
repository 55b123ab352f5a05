// The status page of a node process (rank/status_page.h), from the side of mpiexec: what its ranks
// do, and what they did when it died.
#pragma once
#include "rank/status_page.h"
#include "start/process_state.h"

#include <string>

namespace mpiexec {

class StatusFile {
public:
    StatusFile() = default; // of a process that cannot be looked at
    // Nothing is known of the process until it writes. The name of the page shows how many ranks
    // the job has (wireup/unlaunched_task.cc).
    static StatusFile make(int job_ranks);
    StatusFile(StatusFile &&other) noexcept;
    StatusFile &operator=(StatusFile &&other) noexcept;
    ~StatusFile();

    // For THRUM_STATUS; "" if the kernel grants no memory.
    std::string path() const;

    ProcessState state() const; // now

private:
    bool is_there() const;
    std::string last_calls() const;
    bool count_ranks(std::map<std::string, int> &ranks_in) const;
    bool read_rank(int number, bool &ended, unsigned &function) const;

    int fd_ = -1;
    thrum::StatusPage *page_ = nullptr;
};

} // namespace mpiexec
