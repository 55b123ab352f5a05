// The loads and stores of a program compiled by `mpicc --check` in its own window memory, and the
// origin buffers of its operations there (MPI 5.0 section 12.7): one of them and an operation of
// another rank conflict if they touch one byte, one of the two writes, and nothing orders them.
//
// Remembered are accesses since the rank has last told others anything: by a message, a collective
// operation, an operation of its own, MPI_Win_sync, MPI_Win_post, or by giving back an exclusive
// lock. What it has told may have ordered them before the operation. MPI_Win_fence and MPI_Win_free
// of the same window do not count: an operation of the epoch that they end is not ordered by them.
#pragma once
#include "check/buffer_use.h"
#include "rank/rank.h"

#include <atomic>
#include <vector>

namespace thrum {

// The epochs in which others may access a rank's part of a window.
struct TargetEpochs {
    uint64_t fence = 0;     // number of the epoch between fences; 0: none
    uint64_t exposure = 0;  // number of the one between MPI_Win_post and MPI_Win_wait; 0: none
    bool is_locked = false; // the rank itself holds a lock of its part
    // The numbers of the last epochs of these kinds that are over.
    uint64_t ended_fence = 0, ended_exposure = 0;
};

// Loads or stores of one place in the program, near each other; or what an operation of the rank
// does with its origin buffer.
struct LocalAccess {
    MemorySpan span;
    bool is_store;
    CallPlace call; // function 0: a load or store of the program at `call_site`
    TargetEpochs epochs;
};

// The accesses of one rank in its part of one window. Its owner guards it.
class LocalAccesses {
public:
    // `told` counts how often the rank has told others something.
    void add(const LocalAccess &access, uint64_t told);

    // Returns those that are not ordered before a present operation of another rank.
    const std::vector<LocalAccess> &recent(uint64_t told);

    // The rank has told others something, which does not order those within fences of this window,
    // or none of them (`keeps_all`).
    void keep(uint64_t told_before, uint64_t told_now, bool keeps_all);

    void forget() { accesses_.clear(); }

private:
    static constexpr size_t accesses_max = 1000; // more are not remembered
    static constexpr size_t looked_at_max = 8;   // for one to which an access can be added

    std::vector<LocalAccess> accesses_;
    uint64_t told_ = 0;
};

} // namespace thrum
