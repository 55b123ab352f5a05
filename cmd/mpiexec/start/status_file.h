// The status page of a node process (rank/status_page.h), as mpiexec reads it: what its ranks do,
// and what they did when it died.
#pragma once
#include "rank/status_page.h"
#include "start/process_state.h"

#include <string>

namespace mpiexec {

// Memory that this process shares with a node process, which writes it.
class StatusFile {
public:
    // For a process whose page cannot be read, for example on another host.
    StatusFile() = default;
    // Makes an empty page: nothing is known of the process until it writes. The name of the page
    // shows how many ranks the job has (wireup/unlaunched_task.cc). Without memory the result is as
    // StatusFile().
    static StatusFile make(int job_ranks);
    StatusFile(StatusFile &&other) noexcept;
    StatusFile &operator=(StatusFile &&other) noexcept;
    ~StatusFile();

    // Returns the value of THRUM_STATUS; "" if there is no page.
    std::string path() const;

    // Returns what the page says at this moment.
    ProcessState state() const;

private:
    bool is_there() const;
    std::string last_calls() const;
    bool count_ranks(std::map<std::string, int> &ranks_in) const;
    bool read_rank(int number, bool &ended, unsigned &function) const;

    int fd_ = -1;
    thrum::StatusPage *page_ = nullptr;
};

} // namespace mpiexec
