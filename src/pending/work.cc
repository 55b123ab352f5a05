// Which ranks are invited to help, and in which order the work is opened (pending/work.h).
#include "pending/work.h"

#include "fiber/scheduler.h"
#include "fiber/usable_cores.h"

#include <algorithm>

namespace thrum {
namespace {

constexpr size_t shared_bytes_min = 65536; // below this, the work is done before a helper is awake
constexpr int probes_max = 64;             // limit of requests that are asked to help

// Returns the number of cores on which ranks run.
int cores() {
    int workers = scheduler().worker_count();
    static const int usable = usable_cores();
    return workers > 0 ? workers : usable;
}

// Invites the rank if it waits on the caller's worker (`here`), or if it waits, or may be about to
// wait, on another one. Returns whether it was invited.
bool invite(CollectiveRequest &guest, CollectiveOperation &operation, bool here) {
    Task *waiter = guest.completion.waiter();
    // done() acquires [completion-1] what the waiter has written of itself, too.
    if (guest.completion.done())
        return false;
    const Task &self = current_task();
    const bool waits_here = waiter && waiter->kind == TaskKind::Fiber &&
                            self.kind == TaskKind::Fiber && waiter->worker == self.worker;
    if (waits_here != here)
        return false;
    operation.holds.fetch_add(1, std::memory_order_relaxed);
    // release [invite-1]: the operation, and that it is held.
    guest.invitation.store(&operation, std::memory_order_release);
    if (waiter && guest.completion.interrupt(*waiter))
        make_runnable(*waiter);
    else if (guest.helps()) // MPI_Waitany and MPI_Waitsome; MPI_Waitall waits by itself
        guest.completion.interrupt_group();
    return true;
}

// Invites helpers among the `count` requests that wait for the work, beginning far from the
// caller's neighbours: those are probably on another worker. If there are too few, invites ranks on
// the caller's own worker, which an idle worker steals.
void invite_helpers(CollectiveOperation &operation, CollectiveRequest *const *guests, int count,
                    const CollectiveRequest &host, int wanted) {
    for (bool here : {false, true})
        for (int i = 0; i < std::min(count, probes_max) && wanted > 0; ++i) {
            CollectiveRequest *guest = guests[(host.member + count / 2 + i) % count];
            if (is_pending(guest) && guest != &host && invite(*guest, operation, here))
                --wanted;
        }
}

} // namespace

// Small work is done at once by the caller. For large work the operation is prepared first, then
// helpers are invited, and only then the work is opened: a helper that arrives early waits a moment
// for that.
void do_work(CollectiveOperation &operation, CollectiveRequest &runner, int pieces,
             size_t size_bytes, RunPiece *run, FinishPieces *finish) {
    // A rank that waits for a root is among those that this work serves. No other can be examined.
    int helpers = std::min(cores(), pieces) - 1;
    if (helpers < 1 || size_bytes < shared_bytes_min) {
        for (int piece = 0; piece < pieces; ++piece)
            run(operation, runner, piece);
        finish(operation, runner);
        return;
    }
    operation.pieces_taken.store(0, std::memory_order_relaxed);
    operation.pieces_done.store(0, std::memory_order_relaxed);
    operation.pieces = pieces;
    operation.run_piece = run;
    operation.finish_pieces = finish;
    operation.holds.fetch_add(1, std::memory_order_relaxed); // the caller's own hold
    CollectiveRequest **guests = operation.items_count > 0 ? operation.items : operation.requests;
    int count = operation.items_count > 0 ? operation.items_count : operation.owner->members;
    invite_helpers(operation, guests, count, runner, helpers);
    // release [work-1]: publishes the work. From here on requests may complete and be freed.
    operation.work_is_open.store(true, std::memory_order_release);
    operation.run_pieces(runner, runner.member);
    operation.let_go();
}

} // namespace thrum
