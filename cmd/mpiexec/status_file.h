// The status page of a node process (rank/status_page.h), from the side of mpiexec: what its ranks
// do, and what they did when it died.
#pragma once
#include "rank/status_page.h"

#include <map>
#include <string>

namespace mpiexec {

class StatusFile {
public:
    StatusFile() = default;   // of a process that cannot be looked at
    static StatusFile make(); // nothing is known of the process until it writes
    StatusFile(StatusFile &&other) noexcept;
    StatusFile &operator=(StatusFile &&other) noexcept;
    ~StatusFile();

    // For THRUM_STATUS; "" if the kernel grants no memory.
    std::string path() const;

    // Of the process's ranks, for the end of a sentence: "; MPI call: MPI_Recv". "" if nothing is
    // known.
    std::string last_calls() const;
    // Counts its ranks by what they are doing: "in MPI_Recv", "outside MPI", "ended". False if
    // nothing is known.
    bool count_ranks(std::map<std::string, int> &ranks_in) const;

    bool handles_errors() const { return is_there() && page_->handles_errors.load(); }

    bool ends_job() const { return is_there() && page_->ends_job.load(); }

private:
    bool is_there() const;
    bool read_rank(int number, bool &ended, unsigned &function) const;

    int fd_ = -1;
    thrum::StatusPage *page_ = nullptr;
};

} // namespace mpiexec
