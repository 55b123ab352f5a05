// Rank: what believes that it is a process: a task (fiber or OS thread), an image (its private copy
// of the program's globals), its C-library state and, set by a layer above, its MPI state.
#pragma once
#include "fiber/task.h"
#include "trace/recorder.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace thrum {

struct Image;                // image/image.h: null for the rank that runs the originals
struct CLibraryState;        // rank/c_library.h
struct Process;              // comm/process.h: the MPI state of this rank
struct ProgramSpecification; // rank/programs.h

// The MPI call that a thread of a rank is in. Written by that thread, read by reports at any time.
struct Call {
    std::atomic<uint16_t> function{0};                      // thrum::Function; 0: not inside MPI
    std::atomic<const void *> call_site{nullptr};           // return address in the program
    std::atomic<const struct Blockage *> blockage{nullptr}; // what it waits for, if it waits
};

// What a blocked call waits for; lives on the blocked task's stack. For reports.
struct Blockage {
    enum class Kind : uint8_t { Receive, Send, Probe, Collective, Requests, Described };
    // Kind::Described: writes what follows the name of the function. Returns the world rank of the
    // only process that is waited for, or -1. Called while all ranks are blocked.
    using Describe = int(const Blockage &blockage, char *text, size_t size_bytes);
    Kind kind = Kind::Receive;
    int peer = 0;                       // rank in `communicator`, or MPI_ANY_SOURCE
    int tag = 0;                        // or MPI_ANY_TAG
    const void *communicator = nullptr; // Communicator of comm/communicator.h
    int64_t size_bytes = -1;            // of a send; -1: unknown
    int request_count = 0;              // Kind::Requests: requests still pending
    const void *requests = nullptr;     // Kind::Requests: the array of MPI_Request
    int requests_length = 0;            // of that array; 0: unknown
    Describe *describe = nullptr;       // Kind::Described
    const void *request = nullptr;      // Kind::Requests: the OperationRequest, of a single one
};

struct Rank;

// What the kernel would keep of signals for a thread. Written by the thread itself; read by the
// signal thread (libc/signals.h).
struct ThreadSignals {
    std::atomic<uint64_t> mask{0};     // blocked
    std::atomic<uint64_t> accepted{0}; // sigwait() waits for these
    std::atomic<unsigned> held{0};     // SignalHold: no handler may run now
    std::atomic<bool> visited{false}; // its handler runs on its stack while it waits: no suspension
    bool restarts = false;            // the last handler that ran: SA_RESTART
    bool has_alternate = false;       // sigaltstack()
    void *alternate_low = nullptr;
    size_t alternate_bytes = 0;
};

struct SignalState; // libc/signals.h

// What the kernel would keep of signals for a process; part of the rank's C-library state.
struct RankSignals {
    std::atomic<SignalState *> state{nullptr}; // made on use
    std::atomic<uint32_t> arrivals{0};         // changes whenever a signal is sent to the rank
};

// A thread of a rank: its main one, or one that it made with pthread_create.
struct RankThread : Task {
    Rank *rank = nullptr;
    Call call;
    ThreadSignals signals;
};

struct alignas(64) Rank : RankThread {
    // Its number in the job. Ranks with which the job was started have that of MPI_COMM_WORLD;
    // ranks that are added later (rank/added.h) get the next ones.
    int world_rank = 0;
    int world_size = 1; // of its MPI_COMM_WORLD
    int program = 0;    // number of its program specification: MPI_APPNUM
    int executable = 0; // of image/image.h
    const ProgramSpecification *specification = nullptr; // nullptr: a job of one program
    Image *image = nullptr;
    CLibraryState *libc = nullptr;
    Process *process = nullptr; // set by MPI_Init; written and read by the rank, read by its peers
    std::atomic<Recorder *> recorder{nullptr}; // nullptr until a tool asks (comm/process.h)
    std::atomic<bool> ended{false};
    int exit_code = 0;
    std::atomic<bool> thread_has_ended{false}; // of an added rank with an OS thread of its own
    RankSignals *own_signals = nullptr;        // of `libc`
};

// The thread, and the rank, that is calling. A thread that belongs to no rank (a library's own)
// counts as rank 0's.
inline RankThread &current_rank_thread() {
    return static_cast<RankThread &>(current_task());
}

inline Rank &current_rank() {
    return *current_rank_thread().rank;
}

// While it lives, reports see what the calling thread waits for.
class Waiting {
public:
    explicit Waiting(const Blockage &blockage)
        : visible_(current_rank_thread().call.blockage), blockage_(blockage) {
        // release [blockage-1]: the reader of a report sees the blockage's fields.
        visible_.store(&blockage, std::memory_order_release);
        if (somebody_listens()) [[unlikely]]
            since_ns_ = start_of_wait();
    }

    ~Waiting() {
        if (since_ns_ != 0) [[unlikely]]
            count_wait(blockage_, since_ns_);
        visible_.store(nullptr, std::memory_order_relaxed);
    }

    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;

private:
    // rank/waiting.cc, for tools
    static int64_t start_of_wait();
    static void count_wait(const Blockage &blockage, int64_t since_ns);

    std::atomic<const Blockage *> &visible_;
    const Blockage &blockage_;
    int64_t since_ns_ = 0; // 0: nobody counts
};

// The table of ranks, for debuggers.
struct RankTable {
    Rank *ranks = nullptr;
    int count = 0;
};

extern RankTable the_rank_table;

// What makes the only rank of a process that has loaded libmpi while it ran (dlopen, a module of
// Python), at the first MPI call. Its result becomes the calling thread's task.
using LateStart = RankThread &();
void set_late_start(LateStart *function);

// Makes the table of `count` ranks; every field as declared, but world_rank and world_size.
void create_ranks(int count);

// Ranks that a job may have besides, at a time. The table has room for them.
inline constexpr int added_ranks_max = 16384;
// Makes rank number `number`, at least the first count: a new one, or one in the place of a rank
// that has ended.
Rank &add_rank(int number, int world_size);
int first_rank_count();               // with which the process was started
bool is_first_rank(const Rank &rank); // one of them
// Held by a thread that looks at the C-library state of another rank: that of a rank that has ended
// goes.
std::mutex &rank_table_mutex();

// The ranks of this process (the first is world rank 0 unless there are other processes, share.h);
// some may have ended and have nothing any more. rank_count() is 0 before create_ranks().
Rank &rank_at(int index);
int rank_count();

} // namespace thrum
