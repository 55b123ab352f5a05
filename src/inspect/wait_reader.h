// Reads what the ranks of this process wait for, while some of them run.
//
// Nobody is stopped. A ProcessView records how far each thread has come: which wait it is in, and
// how often it has begun to wait. If two Views say the same of a thread, it has been in that wait
// all the time in between. Then its blockage, its requests and its communicators have stayed as
// they were, and what was read of them in between is valid. The same holds for a thread that polls
// in vain, with what it shows (rank/vain_polls.h). What was read of threads that have moved is
// discarded. It is read by copy_own_memory(), which survives memory that is freed meanwhile.
#pragma once
#include "inspect/process_waits.h"
#include "inspect/wait_graph.h"
#include "rank/rank.h"

#include <cstdint>
#include <vector>

namespace thrum {

// How far a thread of a rank had come.
struct ThreadView {
    const Task *task = nullptr;
    int os_thread_id = 0;               // 0: the thread is a fiber
    uint32_t waits = 0;                 // Call::waits
    const Blockage *blockage = nullptr; // nullptr: it does not wait in an MPI call
    const VainPolls *polls = nullptr;   // not nullptr: it seems to poll for ever (vain_polls.h)
    bool is_announced = false;          // it is in a BlockingCall
    bool operator==(const ThreadView &) const = default;

    // Returns whether it can only go on if something happens to it.
    bool is_stuck() const { return blockage || polls; }
};

// The state of all ranks, as far as atomic words tell it.
struct ProcessView {
    // A thread that is not the main one of its rank.
    struct OtherThread {
        size_t rank; // index of rank_at()
        ThreadView thread;
        bool operator==(const OtherThread &) const = default;
    };

    std::vector<ThreadView> ranks; // by index: the main threads
    std::vector<bool> ended;
    std::vector<OtherThread> others; // by rank
    bool operator==(const ProcessView &) const = default;

    // Returns whether a main thread polls: it runs while it is read, so that another reading may
    // say something else although the views are equal.
    bool some_poll() const;
};

ProcessView take_view();

// A thread of a blocked rank, for the comparison of two readings.
struct Witness {
    ThreadView thread;
    uint64_t switches = 0; // of a thread that sleeps until another one wakes it
    bool operator==(const Witness &) const = default;
};

// What the ranks wait for. In a job of several processes needs and groups name world ranks, and
// those of other processes are in `sends` and `operations`, too (process_waits.h). Otherwise they
// name ranks by their index.
struct WaitReading {
    WaitGraph graph; // by index of rank_at()
    std::vector<WaitingEnvelope> sends;
    std::vector<WaitingOperation> operations;
    std::vector<std::vector<Witness>> witnesses; // of each blocked rank
    int sleeping_active = 0;    // threads that sleep unknown to the scheduler, which counts them
    int sleeping_announced = 0; // threads that sleep in a BlockingCall
};

// Reads the ranks whose threads have stayed where they were between `before` and `now`; all others
// count as free.
WaitReading read_waits(const ProcessView &before, const ProcessView &now);

} // namespace thrum
