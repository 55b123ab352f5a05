// One-sided communication with members of a window in other node processes
// (docs/between_processes.md): what an origin knows of them, the messages that it sends to their
// processes, and what it waits for. The target's process serves them where they arrive, without its
// ranks.
//
// Invariants
// 1. What a process has sent to another is served in that order. So MPI_Win_flush sends one message
//    behind the others, and whoever needs it waits for its answer; data that the target reads
//    itself have an answer of their own.
// 2. Nothing that an origin waits for here waits for a call of MPI by another rank, but for locks.
// 3. When a process is lost (pt2pt/lost.h), whoever waits for it goes on, operations at its ranks
//    that are not known to be done have failed, and the locks that it has held are released. The
//    next call that would say that they are done says that they are not, once.
#pragma once
#include "base/list.h"
#include "datatype/op.h"
#include "fabric/fabric.h"
#include "pt2pt/request.h"
#include "rma/buffers.h"
#include "rma/window.h"
#include "rma/window_memory.h"

#include <vector>

namespace thrum {

struct ProcessMap;

// What a process knows of all members of a window; constant from the window's creation to its end.
struct RemoteMembers {
    struct Member {
        int process = 0;     // number of the node process
        uint64_t window = 0; // the member's object, there
        uint64_t base = 0;   // of its memory, there
        RemoteMemory memory; // exposed, unless the window is dynamic
    };

    std::vector<Member> members;      // by rank
    uint64_t home_window = 0;         // the SharedWindow whose all_or_exclusive counts
    std::vector<WindowMemory> memory; // mapped here
};

// An answer that is to come from `process`.
struct AwaitedAnswer {
    int process;
    ListHook hook{};
};

// Of one rank's object: what is under way to other processes. Guarded by `guard`.
struct RemoteTraffic {
    struct Waiter {
        Completion done;
        Waiter *next = nullptr;
    };

    SpinLock guard;
    int answers = 0;                  // that are to come, and a flush waits for
    Waiter *waiters = nullptr;        // until there are none
    std::vector<uint8_t> unconfirmed; // by process: messages without an answer were sent
    std::vector<uint8_t> failed;      // by process, which is lost: not all was done there
    int failures = 0;                 // of them
    List<AwaitedAnswer, &AwaitedAnswer::hook> awaited;
};

RemoteTraffic *new_traffic(const ProcessMap &span);
void forget_traffic(RemoteTraffic *traffic); // or nullptr

// MPI_Rput and its kin with a target in another process: complete when all parts are.
class OneSidedRequest final : public OperationRequest {
public:
    void add_part() { parts_.fetch_add(1, std::memory_order_relaxed); }

    // Also once by whoever has made it, when all parts have been added.
    void end_part() {
        // acq_rel [one-sided-1]: the last one sees what all parts have written.
        if (parts_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            completion.complete();
    }

    // A part has failed, as `process` is lost.
    void fail_part(int process) { lost_process_.store(process, std::memory_order_relaxed); }

    Error result(MPI_Status *status) override;

private:
    std::atomic<int> parts_{1};
    std::atomic<int> lost_process_{-1};
};

inline bool is_remote_target(const Window &win, int rank) {
    return win.traffic && rank != MPI_PROC_NULL && rank >= 0 && rank < win.size &&
           !win.parts[rank].is_here();
}

// Whether the member is in the shared memory domain of the calling one: on the same node.
bool shares_node(const Window &win, int rank);

// An operation whose arguments are right, at a target in another process; `address` as locate()
// gives it. They return when the origin's buffer has been read, or with an answer to come.
// MPI_ERR_PROC_ABORTED: the target's process is known to be lost.
Error put_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                   Window &win, OneSidedRequest *request) MAY_SUSPEND;
Error get_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                   Window &win, OneSidedRequest *request) MAY_SUSPEND;

// As accumulate.cc's combine(): `combined` elements are combined with the origin's, `fetched` ones
// fetched.
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
// Whether the member of a dynamic window has attached [begin, end).
bool is_attached_remotely(Window &win, int rank, uintptr_t begin, uintptr_t end) MAY_SUSPEND;

// Returns when what the caller has begun at `rank` (negative: everywhere) is done there, and all
// answers have come. MPI_ERR_PROC_ABORTED: a process is lost, and not all was done there.
Error flush_remote(Window &win, int rank) MAY_SUSPEND;
// Returns when all answers have come: buffers of the origin may be used again.
void wait_for_answers(Window &win) MAY_SUSPEND;

// A lock in another process: that of member `target`, or for a negative one all_or_exclusive, which
// is in the process of member 0. `exposed`: the target has called MPI_Win_post, and it is not held.
Error acquire_remotely(Window &win, int target, WindowLock::Mode mode, bool overtake,
                       bool &exposed) MAY_SUSPEND;
// Returns when it is released there: MPI_Win_post, after a barrier, must not find it held.
void release_remotely(Window &win, int target, WindowLock::Mode mode) MAY_SUSPEND;
// Whether all_or_exclusive is in another process.
bool is_whole_lock_remote(const Window &win);

// MPI_Win_post for an origin, MPI_Win_complete for a target. Who is lost need not be told: false.
bool tell_post_remotely(Window &win, int origin) MAY_SUSPEND;
bool tell_complete_remotely(Window &win, int target) MAY_SUSPEND;

// The lost process of member `rank`; -1: it is not lost.
int lost_process_of_member(const Window &win, int rank);
// `process` is lost: ends what one rank's operations wait for.
void fail_answers(Window &win, int process);

// Makes this process serve others; before any of them may send. Idempotent.
void begin_one_sided_messages();

} // namespace thrum
