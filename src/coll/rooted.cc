// The meeting of root and peers without waiting (rooted.h). Two flags decide who serves a peer: the
// root publishes itself first and takes the leaves' lists afterwards; a peer looks for the root
// under its leaf's lock. So each peer is served exactly once.
#include "coll/rooted.h"

#include "pending/work.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {
namespace {

const RootedSteps &steps_of(const CollectiveOperation &operation) {
    return static_cast<const RootedForms &>(*operation.forms).steps;
}

bool is_root(const CollectiveRequest &request) {
    return request.comm->inter ? request.call.root == MPI_ROOT
                               : request.call.root == request.comm->rank;
}

// Returns whether the request is of the root's group of an inter-communicator, but not the root.
bool is_bystander(const CollectiveRequest &request) {
    return request.comm->inter && request.call.root == MPI_PROC_NULL;
}

// Copies between a peer and the root. For use when the data are not in the scratch buffer.
void exchange(CollectiveOperation &operation, CollectiveRequest &peer) {
    const CollectiveRequest &root = *operation.root;
    const RootedSteps &steps = steps_of(operation);
    const int rank = peer.comm->rank;
    const Transfer transfer = steps.transfer(root.call.movement, peer.call.movement, rank);
    check_pending(peer, transfer.from, steps.gathers ? peer.member : root.member, transfer.to,
                  steps.gathers ? root.member : peer.member);
    if (copy_block(transfer.from, transfer.to)) [[likely]]
        return;
    set_truncated(peer, steps.gathers ? rank : root.comm->rank, transfer.from.size_bytes(),
                  transfer.to.size_bytes());
    if (steps.gathers)
        operation.truncated.store(rank, std::memory_order_relaxed);
}

// Copies what the root of an intra-communicator sends to itself.
void exchange_own_block(const CollectiveOperation &operation, CollectiveRequest &root) {
    const Movement &own = root.call.movement;
    if (root.comm->inter || !own.send || !own.receive)
        return;
    const int rank = root.comm->rank;
    const Transfer transfer = steps_of(operation).transfer(own, own, rank);
    check_pending(root, transfer.from, root.member, transfer.to, root.member);
    if (!copy_block(transfer.from, transfer.to))
        set_truncated(root, rank, transfer.from.size_bytes(), transfer.to.size_bytes());
}

// Ends a member's use of the operation. The last member completes a root that waits.
void depart(CollectiveOperation &operation, int member, TaskList &awake) {
    if (!operation.leave(member))
        return;
    if (operation.root && !operation.buffered) {
        CollectiveRequest &root = *operation.root;
        int rank = operation.truncated.load(std::memory_order_relaxed);
        if (rank >= 0) {
            root.fault.kind = Fault::Kind::RootTruncated;
            root.fault.peer = rank;
        }
        root.operation = nullptr;
        complete(root, awake);
    }
    operation.let_go();
}

void depart(CollectiveOperation &operation, int member) {
    TaskList awake;
    depart(operation, member, awake);
    wake(awake);
}

// Completes the caller's own request: no other task can be waiting for it yet.
void finish_own(CollectiveOperation &operation, CollectiveRequest &request) {
    request.operation = nullptr;
    request.completion.set_done();
    depart(operation, request.member);
}

// Serves a peer; the root has arrived.
void serve(CollectiveOperation &operation, CollectiveRequest &peer) {
    if (operation.buffered)
        operation.forms->take(peer);
    else
        exchange(operation, peer);
}

// Sets the error of a member that waits in vain.
void set_fault(const CollectiveOperation &operation, CollectiveRequest &request) {
    if (const Dispute *dispute = operation.dispute.get()) {
        request.fault.kind = Fault::Kind::Dispute;
        request.fault.dispute = *dispute;
    } else {
        request.fault.kind = Fault::Kind::NoRoot;
    }
}

// Returns whether no root will serve the request.
bool waits_in_vain(const CollectiveOperation &operation, const CollectiveRequest &request) {
    return request.misfit || operation.claimed.load(std::memory_order_relaxed) == 0;
}

// Removes the requests from a leaf's list for which take(request) is true. The caller holds the
// lock.
template <class Take>
CollectiveRequest *take_waiting(OperationLeaf &leaf, Take take, CollectiveRequest *taken) {
    CollectiveRequest **link = &leaf.waiting;
    while (CollectiveRequest *request = *link) {
        if (take(*request)) {
            *link = request->next;
            request->next = taken;
            taken = request;
        } else {
            link = &request->next;
        }
    }
    return taken;
}

// Closes an operation in which all members have arrived: misfits, and peers that wait although no
// member is the root, get an error.
[[gnu::cold]] void close_in_dispute(CollectiveOperation &operation) {
    CollectiveRequest *vain = nullptr;
    for (int i = 0; i < operation.owner->leaf_count; ++i) {
        OperationLeaf &leaf = operation.leaves[i];
        LockGuard guard(leaf.lock);
        leaf.closed = true;
        vain = take_waiting(
            leaf, [&](const CollectiveRequest &r) { return waits_in_vain(operation, r); }, vain);
    }
    TaskList awake;
    while (CollectiveRequest *request = vain) {
        vain = request->next;
        set_fault(operation, *request);
        request->operation = nullptr;
        int member = request->member;
        complete(*request, awake);
        depart(operation, member, awake);
    }
    wake(awake);
}

inline void close(CollectiveOperation &operation) {
    if (operation.dispute.get() || operation.claimed.load(std::memory_order_relaxed) == 0)
        [[unlikely]]
        close_in_dispute(operation);
}

// Serves the request at once if the root has arrived, otherwise queues it in its leaf. The check is
// made under the leaf's lock, which the root takes after it has published itself: no request is
// missed.
void wait_for_root(CollectiveOperation &operation, CollectiveRequest &request) {
    OperationLeaf &leaf = operation.leaf_of(request.member);
    bool closed;
    {
        LockGuard guard(leaf.lock);
        // acquire [root-1]: the root's arguments or data are visible.
        bool served = !request.misfit && operation.published.load(std::memory_order_acquire);
        closed = leaf.closed && waits_in_vain(operation, request);
        if (!served && !closed) {
            request.next = leaf.waiting;
            leaf.waiting = &request;
            return;
        }
    }
    if (closed)
        set_fault(operation, request);
    else
        serve(operation, request);
    finish_own(operation, request);
}

void begin_as_peer(CollectiveOperation &operation, CollectiveRequest &peer) {
    if (operation.count_arrival(peer.member))
        close(operation);
    // acquire [root-1]: the root's arguments or data are visible.
    if (peer.misfit || !operation.published.load(std::memory_order_acquire)) {
        wait_for_root(operation, peer);
        return;
    }
    serve(operation, peer);
    finish_own(operation, peer);
}

// Runs a piece of the root's work: serves one waiting peer, or the root itself.
void serve_item(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    if (piece == operation.items_count) {
        exchange_own_block(operation, *operation.root);
        depart(operation, operation.root->member);
        return;
    }
    CollectiveRequest &peer = *operation.items[piece];
    exchange(operation, peer);
    TaskList awake;
    peer.operation = nullptr;
    int member = peer.member;
    complete(peer, awake);
    depart(operation, member, awake);
    wake(awake);
}

// Completes the waiting peers when the root's data are in the scratch buffer, which they read
// themselves.
void complete_from_scratch(CollectiveRequest *waiting) {
    TaskList awake;
    while (CollectiveRequest *peer = waiting) {
        waiting = peer->next;
        peer->takes = true;     // and leaves in its completion call
        complete(*peer, awake); // and leaves in its completion call
    }
    wake(awake);
}

// Serves the waiting peers, and the root itself. The operation may be over afterwards.
void serve_all(CollectiveOperation &operation, CollectiveRequest &root,
               CollectiveRequest *waiting) MAY_SUSPEND {
    int count = 0;
    size_t size_bytes = 0;
    while (CollectiveRequest *peer = waiting) {
        waiting = peer->next;
        operation.items[count++] = peer;
        const Movement &movement = peer->call.movement;
        size_bytes += (movement.send ? movement.send : movement.receive)[0].size_bytes();
    }
    operation.items_count = count;
    do_work(operation, root, count + 1, size_bytes, serve_item,
            [](CollectiveOperation &, CollectiveRequest &) {});
}

// The root publishes itself before it takes the lists of waiting peers. So a peer either finds the
// root, or is found by it.
void begin_as_root(CollectiveOperation &operation, CollectiveRequest &root) MAY_SUSPEND {
    operation.root = &root;
    if (operation.count_arrival(root.member))
        close(operation);
    const RootedSteps &steps = steps_of(operation);
    operation.buffered =
        steps.leave_copy && !others_are_far_behind(operation) && steps.leave_copy(operation, root);
    operation.published.store(true, std::memory_order_release); // release [root-1]
    CollectiveRequest *waiting = nullptr;
    for (int i = 0; i < operation.owner->leaf_count; ++i) {
        OperationLeaf &leaf = operation.leaves[i];
        if (leaf.size == 1 && &leaf == &operation.leaf_of(root.member))
            continue;
        LockGuard guard(leaf.lock);
        waiting = take_waiting(leaf, [](const CollectiveRequest &r) { return !r.misfit; }, waiting);
    }
    if (!operation.buffered) {
        serve_all(operation, root, waiting);
        return;
    }
    complete_from_scratch(waiting);
    exchange_own_block(operation, root);
    finish_own(operation, root);
}

} // namespace

void check_taken(CollectiveRequest &peer, size_t sent_bytes, const Block &to) {
    const CollectiveOperation &operation = *peer.operation;
    if (operation.scratch_type.surely_matches(*to.type) && sent_bytes >= to.size_bytes()) [[likely]]
        return;
    const int root = Announcement::member(operation.claimed.load(std::memory_order_relaxed));
    if (Error error = operation.scratch_type.compare(*peer.comm, sent_bytes, root, to, peer.member))
        note_type_error(peer, error);
}

void set_truncated(CollectiveRequest &peer, int rank, size_t sent_bytes, size_t room_bytes) {
    peer.fault.kind = Fault::Kind::Truncated;
    peer.fault.peer = rank;
    peer.fault.sent_bytes = sent_bytes;
    peer.fault.room_bytes = room_bytes;
}

// Sorts a request by its role: bystander (the root's group in an inter-communicator), root, or
// peer. Only in an inter-communicator can two ranks claim to be the root: the first one that sets
// `claimed` is.
void begin_rooted(CollectiveOperation &operation, CollectiveRequest &request) {
    operation.requests[request.member] = &request; // for reports
    if (!request.misfit && is_bystander(request)) {
        if (operation.count_arrival(request.member))
            close(operation);
        finish_own(operation, request);
        return;
    }
    if (!request.misfit && is_root(request)) {
        uint64_t earlier = 0;
        // In an intra-communicator all members have announced the root.
        if (!request.comm->inter) {
            operation.claimed.store(request.announcement, std::memory_order_relaxed);
            begin_as_root(operation, request);
            return;
        }
        if (operation.claimed.compare_exchange_strong(earlier, request.announcement,
                                                      std::memory_order_relaxed)) {
            begin_as_root(operation, request);
            return;
        }
        request.misfit = true; // another rank also claims to be the root
        operation.dispute.record({.kind = Dispute::Kind::Roots,
                                  .calls = {earlier, request.announcement},
                                  .size_bytes = {},
                                  .sentence = {}});
    }
    begin_as_peer(operation, request);
}

void abstain_from_rooted(CollectiveOperation &operation, int member) {
    if (operation.count_arrival(member))
        close(operation);
    depart(operation, member);
}

Error stay(Communicator &comm, Collective collective, int root, Attendance::Until until) {
    return pass_round(comm, rooted_announcement(comm, collective, 1, root), until);
}

Error no_root() {
    return fail(MPI_ERR_ROOT, "root: no rank of the remote group has passed MPI_ROOT");
}

} // namespace thrum
