// Rank: a task (fiber or OS thread) that believes it is a process. It has an image (its private
// copy of the program's globals), its C-library state and, set by a layer above, its MPI state.
//
// The ranks of this process are one table, which create_ranks() makes and add_rank() extends. It
// never moves, so that other ranks, debuggers and mpiexec may refer to its entries.
#pragma once
#include "fiber/task.h"
#include "observe/observer.h"
#include "trace/recorder.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>

namespace thrum {

struct Image;                // image/image.h: null for the rank that runs the originals
struct CLibraryState;        // rank/c_library.h
struct Process;              // comm/process.h: the MPI state of this rank
struct ProgramSpecification; // rank/programs.h
struct OutcomeSequence;      // record/outcomes.h
struct Contained;            // rank/contained.h
struct VainPolls;            // rank/vain_polls.h

// The MPI call that a thread of a rank is in. Written by that thread, read by reports at any time.
struct Call {
    std::atomic<uint16_t> function{0};                      // thrum::Function; 0: not inside MPI
    std::atomic<uint32_t> waits{0};                         // how often it has begun to wait
    std::atomic<const void *> call_site{nullptr};           // return address in the program
    std::atomic<const struct Blockage *> blockage{nullptr}; // what it waits for, if it waits
    std::atomic<const struct VainPolls *> polls{nullptr};   // if it seems to poll for ever
    std::atomic<const struct Rank *> copies_for{nullptr};   // see CopyingFor
};

// Which function was called, and its return address in the program; 0 and nullptr: unknown.
struct CallPlace {
    unsigned function = 0; // thrum::Function
    const void *call_site = nullptr;
};

inline CallPlace place_of(const Call &call) {
    return {call.function.load(std::memory_order_relaxed),
            call.call_site.load(std::memory_order_relaxed)};
}

// What a blocked call waits for, for reports. Lives on the stack of the blocked task, which shows
// it by a Waiting. Up to 80 bytes are initialised with a few instructions, more in a slow loop.
struct Blockage {
    enum class Kind : uint8_t { Receive, Send, Probe, Collective, Requests, Described };
    // For Kind::Described: writes the text that follows the name of the function. Returns the world
    // rank of the only process that the call waits for, or -1. Called while all ranks are blocked.
    using Describe = int(const Blockage &blockage, char *text, size_t size_bytes);
    Kind kind = Kind::Receive;
    bool any = false; // Kind::Requests: one of them ends the wait
    // Kind::Collective: all members must arrive in the round, not only the root.
    bool needs_all = false;
    // Rank in `communicator`, or MPI_ANY_SOURCE. Kind::Collective: the root; a number that no rank
    // has if there is none.
    int peer = 0;
    int tag = 0;                        // or MPI_ANY_TAG
    int request_count = 0;              // Kind::Requests: requests still pending
    int requests_length = 0;            // of the array `requests`; 0: unknown
    const void *communicator = nullptr; // Communicator of comm/communicator.h
    int64_t size_bytes = -1;            // of a send; -1: unknown
    uint64_t round = 0;                 // Kind::Collective: of the meeting (meeting/round.h)
    const void *requests = nullptr;     // Kind::Requests: the array of MPI_Request
    Describe *describe = nullptr;       // Kind::Described
    const void *request = nullptr;      // the only Request waited for; Kind::Probe: the Prober
};

static_assert(sizeof(Blockage) <= 80);

// Sets the function that tells the observer what the calling thread is about to wait for.
using FindWaitTarget = observe::WaitTarget(const Blockage &blockage);
void set_find_wait_target(FindWaitTarget *function);

struct Rank;

// Room for an object that a layer above keeps for each thread. Only that layer knows its type. All
// its bytes are zero at first.
class ThreadSlot {
public:
    template <class T>
    T &as() {
        static_assert(sizeof(T) <= sizeof bytes_ && alignof(T) <= 8);
        static_assert(std::is_trivially_destructible_v<T>);
        return *std::launder(reinterpret_cast<T *>(bytes_));
    }

    template <class T>
    const T &as() const {
        return const_cast<ThreadSlot *>(this)->as<T>();
    }

private:
    alignas(8) std::byte bytes_[48] = {};
};

// A thread of a rank: its main one, or one that it made with pthread_create.
struct RankThread : Task {
    Rank *rank = nullptr;
    Call call;
    ThreadSlot libc;                     // its signals
    OutcomeSequence *outcomes = nullptr; // its own; made with the first outcome
    uint32_t polls = 0;                  // in vain; this and the next: rank/vain_polls.h
    uint32_t poll_tick = 0;
    uint32_t outside_looks = 0;
    std::shared_ptr<VainPolls> vain_polls;
    void (*tool)() = nullptr; // where its next call in Fortran goes (fortran/tool.h)
    observe::ThreadState observed{&call.function, &call.call_site};
};

// A rank, which is also its main thread. Aligned to a cache line, so that neighbours in the table
// do not share one.
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
    Process *process = nullptr; // made before the rank runs (comm/); read by its peers
    std::atomic<Recorder *> recorder{nullptr}; // nullptr until a tool asks (comm/process.h)
    std::atomic<bool> ended{false};            // release [rank-end-1] in end_rank()
    int exit_code = 0;                         // set before `ended`
    std::atomic<bool> thread_has_ended{false}; // of an added rank with an OS thread of its own
    Contained *contained = nullptr; // of a run; nullptr: an ordinary rank. Set before it runs
    observe::RankRecord *record = nullptr; // nullptr: it is not observed
};

// Returns the thread, or the rank, that is calling. A thread of no rank (a library's own) counts as
// rank 0's.
inline RankThread &current_rank_thread() {
    return static_cast<RankThread &>(current_task());
}

// Returns the rank that is calling: two loads.
inline Rank &current_rank() {
    return *current_rank_thread().rank;
}

// Returns the call that the calling thread is in.
inline CallPlace current_call() {
    return place_of(current_rank_thread().call);
}

// Shows reports what the calling thread waits for, while it lives. Counts the wait if a tool
// listens.
class Waiting {
public:
    explicit Waiting(const Blockage &blockage) : Waiting(current_rank_thread(), blockage) {}

    // Does the same for a caller that knows its thread.
    Waiting(RankThread &self, const Blockage &blockage) : call_(self.call), blockage_(blockage) {
        std::atomic<uint32_t> &waits = call_.waits; // only this thread writes it
        waits.store(waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        // release [blockage-1]: the reader of a report sees the blockage's fields.
        call_.blockage.store(&blockage, std::memory_order_release);
        if (somebody_listens()) [[unlikely]]
            start_ = start_of_wait(blockage);
    }

    ~Waiting() {
        if (start_.is_counted()) [[unlikely]]
            count_wait(blockage_, start_);
        call_.blockage.store(nullptr, std::memory_order_relaxed);
    }

    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;

private:
    // When the wait began, for tools and for the observer; 0: it is not counted.
    struct Start {
        int64_t ns = 0;
        uint64_t ticks = 0;

        bool is_counted() const { return (static_cast<uint64_t>(ns) | ticks) != 0; }
    };

    // rank/waiting.cc
    static Start start_of_wait(const Blockage &blockage);
    static void count_wait(const Blockage &blockage, const Start &start);

    Call &call_;
    const Blockage &blockage_;
    Start start_;
};

// Tells a crash report whose buffer the calling thread copies from or to, besides its own rank's,
// while this lives: a bad address in that buffer is a mistake of the other rank.
class CopyingFor {
public:
    CopyingFor() : shown_(current_rank_thread().call.copies_for) {}

    ~CopyingFor() { shown_.store(nullptr, std::memory_order_relaxed); }

    CopyingFor(const CopyingFor &) = delete;
    CopyingFor &operator=(const CopyingFor &) = delete;

    void set(const Rank *other) { shown_.store(other, std::memory_order_relaxed); }

private:
    std::atomic<const Rank *> &shown_;
};

// The table of ranks, for debuggers.
struct RankTable {
    Rank *ranks = nullptr;
    int count = 0;
};

extern RankTable the_rank_table;

// Sets the function that makes the only rank of a process, at its first MPI call, if the process
// has loaded libmpi while it ran (dlopen, a module of Python). Its result becomes the calling
// thread's task.
using LateStart = RankThread &();
void set_late_start(LateStart *function);

// Makes the table of `count` ranks. Every field is as declared, except world_rank and world_size.
void create_ranks(int count);

// How many added ranks a job may have at a time. The table has room for them.
inline constexpr int added_ranks_max = 16384;
// Makes rank number `number`, which is not below first_rank_count(): a new one, or one in the place
// of a rank that has ended. Under the lock of added.cc.
Rank &add_rank(int number, int world_size);
// Returns the number of ranks with which the process was started.
int first_rank_count();
// Returns whether it is one of these.
bool is_first_rank(const Rank &rank);
// Returns the mutex of threads that look at other ranks' C-library states or at all ranks. What a
// rank that has ended had is freed, and another one begins in its place, under it.
std::mutex &rank_table_mutex();

// Returns a rank of this process. The first is world rank 0 unless the job has other processes
// (share.h). Some may have ended and have no state.
Rank &rank_at(int index);
// Returns how many entries the table has. 0 before create_ranks().
int rank_count();

} // namespace thrum
