// One-sided communication with members of a window in other node processes
// (docs/between_processes.md): what an origin knows about them, the messages that it sends to their
// processes, and what it waits for. The target's process serves messages where they arrive, without
// its ranks.
//
// Invariants
// 1. A process serves another's messages in the order in which they were sent. So MPI_Win_flush
//    sends one message after the others and waits for its answer. Data that the target itself reads
//    have their own answer.
// 2. Except for locks, nothing that an origin waits for here depends on an MPI call of another
//    rank.
// 3. When a process is lost (pt2pt/lost.h), ranks that wait for it continue, operations at its
//    ranks that are not known to be done have failed, and its locks are released. The next call
//    that would complete these operations reports the failure, once.
#pragma once
#include "base/list.h"
#include "base/node_process.h"
#include "datatype/op.h"
#include "fabric/fabric.h"
#include "pt2pt/request.h"
#include "rma/buffers.h"
#include "rma/shared_lock.h"
#include "rma/window.h"
#include "rma/window_memory.h"

#include <vector>

namespace thrum {

struct ProcessMap;

// What a process knows about all members of a window; constant during the life of the window.
struct RemoteMembers {
    // A member as all processes know it. Copied into packets as it is.
    struct Member {
        NodeProcess process;
        uint64_t window = 0; // the member's object in its process
        uint64_t base = 0;   // address of its memory in its process
        RemoteMemory memory; // exposed, unless the window is dynamic
    };

    std::vector<Member> members; // by rank
    uint64_t home_window =
        0; // the SharedWindow, in member 0's process, whose all_or_exclusive is used
    std::vector<WindowMemory> memory; // mapped in this process
};

// An expected answer from `process`, in the list of its RemoteTraffic until the answer arrives or
// the process is lost.
struct AwaitedAnswer {
    NodeProcess process;
    ListHook hook{};
};

// The pending operations of one rank's object in other processes. Guarded by `guard`: written by
// the rank's threads, and by whatever thread takes in an answer.
struct RemoteTraffic {
    // A task that waits until no answer is expected; on its stack.
    struct Waiter {
        Completion done;
        Waiter *next = nullptr;
    };

    SpinLock guard;
    // No answer is expected, no message unconfirmed and no failure unreported: a flush has nothing
    // to do. Written with the guard held. The rank's own operations are seen by its own flushes.
    std::atomic<bool> settled{true};
    int answers = 0;                  // expected answers that a flush waits for
    Waiter *waiters = nullptr;        // tasks that wait until there are none
    std::vector<uint8_t> unconfirmed; // by process: unanswered messages were sent
    std::vector<uint8_t> failed;      // by process, which is lost: not everything was done there
    int failures = 0;                 // number of entries set in `failed`
    List<AwaitedAnswer, &AwaitedAnswer::hook> awaited;
};

// Makes the traffic of a window over `span`.
RemoteTraffic *new_traffic(const ProcessMap &span);
void forget_traffic(RemoteTraffic *traffic); // accepts nullptr

// MPI_Rput and its variants with a target in another process; under `mpiexec --check` with any. It
// is complete when all parts are.
class OneSidedRequest final : public OperationRequest {
public:
    // Adds a part, whose answer will end it.
    void add_part() { parts_.fetch_add(1, std::memory_order_relaxed); }

    // Ends a part. Its maker also calls it once, when all parts have been added.
    void end_part() {
        // acq_rel [one-sided-1]: the last one sees what all parts have written.
        if (parts_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            completion.complete();
    }

    // Records that a part has failed because `process` is lost.
    void fail_part(NodeProcess process) { lost_process_.store(process, std::memory_order_relaxed); }

    Error result(MPI_Status *status) override;

    // Under `mpiexec --check`: the access that is complete with the request, if it fetches.
    struct FetchedAccess {
        std::shared_ptr<WindowAccesses> accesses;
        int origin = 0, target = 0;
    };

    FetchedAccess fetched;

private:
    std::atomic<int> parts_{1};
    std::atomic<NodeProcess> lost_process_{no_process};
};

// Returns whether `rank` is a member in another process; accepts any integer.
inline bool is_remote_target(const Window &win, int rank) {
    return win.traffic && rank != MPI_PROC_NULL && rank >= 0 && rank < win.size &&
           !win.parts[rank].is_here();
}

// Returns whether the member is in the caller's shared memory domain, that is, on the same node.
bool shares_node(const Window &win, int rank);

// Start an operation with valid arguments at a target in another process; `address` comes from
// locate(). They return when the origin's buffer has been read, or with an answer pending. Return
// MPI_ERR_PROC_ABORTED if the target's process is known to be lost.
Error put_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                   Window &win, OneSidedRequest *request) MAY_SUSPEND;
Error get_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                   Window &win, OneSidedRequest *request) MAY_SUSPEND;

// What combine() in accumulate.cc asks for: the first `combined` elements are combined with the
// origin's, `fetched` ones are fetched.
struct RemoteCombination {
    const OriginBuffer *origin; // nullptr: MPI_NO_OP
    const OriginBuffer *result; // nullptr: nothing is fetched
    OpKind op;
    const Datatype &element;
    Count combined, fetched;
};

Error combine_remotely(const RemoteCombination &combination, const TargetBuffer &target,
                       const char *address, Window &win, OneSidedRequest *request) MAY_SUSPEND;
Error compare_and_swap_remotely(const void *origin, const void *compare, void *result,
                                const TargetBuffer &target, const char *address,
                                Window &win) MAY_SUSPEND;
// Returns whether the member of a dynamic window has attached [begin, end). False also if its
// process is lost.
bool is_attached_remotely(Window &win, int rank, uintptr_t begin, uintptr_t end) MAY_SUSPEND;

// Waits until everything that the caller has begun at `rank` (negative: everywhere) is done there,
// and all answers have arrived. Returns MPI_ERR_PROC_ABORTED if a process is lost and not
// everything was done there, once per failure.
inline Error flush_remote(Window &win, int rank) MAY_SUSPEND;
// Waits until all answers have arrived, so that the origin's buffers may be reused. Unanswered
// messages are not waited for.
inline void wait_for_answers(Window &win) MAY_SUSPEND;

namespace detail {
Error flush_remote(Window &win, int rank) MAY_SUSPEND;
void wait_for_answers(Window &win) MAY_SUSPEND;
} // namespace detail

inline bool is_settled(const Window &win) {
    // acquire [settled-1]: what the answers have brought.
    return win.traffic->settled.load(std::memory_order_acquire);
}

inline Error flush_remote(Window &win, int rank) {
    return is_settled(win) ? success : detail::flush_remote(win, rank);
}

inline void wait_for_answers(Window &win) {
    if (!is_settled(win))
        detail::wait_for_answers(win);
}

// Acquires a lock in another process: that of member `target`, or for a negative one
// all_or_exclusive, in the process of member 0. Sets `exposed`, and does not hold the lock, if the
// target has called MPI_Win_post.
Error acquire_remotely(Window &win, int target, WindowLock::Mode mode, bool overtake,
                       bool &exposed) MAY_SUSPEND;
// Releases the lock and waits until it is released there: MPI_Win_post, called after a barrier,
// must not find it held.
void release_remotely(Window &win, int target, WindowLock::Mode mode) MAY_SUSPEND;

// Returns the lock of member `target`, or for a negative one the whole window's, if it belongs to
// another process and is mapped here.
inline SharedLock mapped_lock(const Window &win, int target) {
    if (target < 0)
        return {win.parts[0].is_here() ? nullptr : win.shared->whole_lock_record,
                win.shared->process};
    const WindowPart &part = win.parts[target];
    return {part.is_here() ? nullptr : part.lock_record, win.shared->process};
}

// Takes such a lock if it is free. Returns false if it is not, or a process is lost: then
// acquire_remotely() decides.
bool try_acquire_mapped(const Window &win, int target, WindowLock::Mode mode);

// Returns whether all_or_exclusive is in another process.
inline bool is_whole_lock_remote(const Window &win) {
    return win.traffic && !win.parts[0].is_here();
}

// Notify an origin of MPI_Win_post, or a target of MPI_Win_complete. Return false if its process is
// lost.
bool tell_post_remotely(Window &win, int origin) MAY_SUSPEND;
bool tell_complete_remotely(Window &win, int target) MAY_SUSPEND;

// Returns the lost process of member `rank`; no_process if it is not lost.
NodeProcess lost_process_of_member(const Window &win, int rank);
// Ends what one rank's operations wait for when `process` is lost. Does not suspend.
void fail_answers(Window &win, NodeProcess process);

// Registers the arrive function of one-sided messages. Must be called before any process may send
// one. Idempotent.
void begin_one_sided_messages();

} // namespace thrum
