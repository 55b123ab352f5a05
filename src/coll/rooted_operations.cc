// Non-blocking operations with a root to or from which data go: MPI_Ibcast, MPI_Igather(v),
// MPI_Iscatter(v) and their persistent forms (sections 6.12 and 6.13).
//
// A peer that comes after the root exchanges its block with it at once. One that comes before waits
// in its leaf's list; the root serves the lists when it comes. Of a small broadcast or scatter the
// root leaves a copy in the operation's room and is done; of everything else it is done when the
// last peer has left.
#include "coll/collective_request.h"
#include "coll/collective_work.h"
#include "coll/round.h"

#include <algorithm>

namespace thrum {
namespace {

constexpr size_t bcast_room_bytes_max = 8192; // as the blocking forms
// Of rooms from which somebody has still to take: as far as they are to stay in a core's cache.
constexpr size_t open_bytes_max = 16384;
constexpr size_t scatter_room_bytes_max = 32768; // of all blocks together

bool is_gather(Collective collective) {
    return collective == Collective::Gather || collective == Collective::Gatherv;
}

bool is_root(const CollectiveRequest &request) {
    return request.comm->inter ? request.call.root == MPI_ROOT
                               : request.call.root == request.comm->rank;
}

// In the root's group of an inter-communicator.
bool is_bystander(const CollectiveRequest &request) {
    return request.comm->inter && request.call.root == MPI_PROC_NULL;
}

void truncate(CollectiveRequest &peer, int rank, size_t sent_bytes, size_t room_bytes) {
    peer.fault.kind = Fault::Kind::Truncated;
    peer.fault.peer = rank;
    peer.fault.sent_bytes = sent_bytes;
    peer.fault.room_bytes = room_bytes;
}

// Between a peer and the root, whose data are not in the room.
void exchange(CollectiveOperation &operation, CollectiveRequest &peer) {
    const CollectiveRequest &root = *operation.root;
    const Movement &at_root = root.call.movement, &at_peer = peer.call.movement;
    int rank = peer.comm->rank;
    Block from, to;
    if (is_gather(peer.call.collective)) {
        from = at_peer.send[0];
        to = at_root.receive[rank];
    } else {
        from = at_root.send[peer.call.collective == Collective::Bcast ? 0 : rank];
        to = at_peer.receive[0];
    }
    if (copy_block(from, to)) [[likely]]
        return;
    bool gathers = is_gather(peer.call.collective);
    truncate(peer, gathers ? rank : root.comm->rank, from.size_bytes(), to.size_bytes());
    if (gathers)
        operation.truncated.store(rank, std::memory_order_relaxed);
}

void exchange_own_block(CollectiveRequest &root) {
    const Movement &own = root.call.movement;
    if (root.comm->inter || root.call.collective == Collective::Bcast || !own.send || !own.receive)
        return;
    int rank = root.comm->rank;
    Block from = own.send[is_gather(root.call.collective) ? 0 : rank];
    Block to = own.receive[is_gather(root.call.collective) ? rank : 0];
    if (!copy_block(from, to))
        truncate(root, rank, from.size_bytes(), to.size_bytes());
}

// A member has no more to do with the operation. With the last one a root that has waited is done.
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

// The caller's own request is complete before anybody could wait for it.
void finish_own(CollectiveOperation &operation, CollectiveRequest &request) {
    request.operation = nullptr;
    request.completion.set_done();
    depart(operation, request.member);
}

// Of a peer, after the root has come.
void serve(CollectiveOperation &operation, CollectiveRequest &peer) {
    if (operation.buffered)
        take_from_root(peer);
    else
        exchange(operation, peer);
}

void set_fault(const CollectiveOperation &operation, CollectiveRequest &request) {
    if (const Dispute *dispute = operation.dispute.get()) {
        request.fault.kind = Fault::Kind::Dispute;
        request.fault.dispute = *dispute;
    } else {
        request.fault.kind = Fault::Kind::NoRoot;
    }
}

bool waits_in_vain(const CollectiveOperation &operation, const CollectiveRequest &request) {
    return request.misfit || operation.claimed.load(std::memory_order_relaxed) == 0;
}

// Takes those out of a leaf's list for whom take(request) is true; the caller holds the lock.
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

// All have come: who does not fit, or waits for a root that nobody is, is told so.
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

void wait_for_root(CollectiveOperation &operation, CollectiveRequest &request) {
    OperationLeaf &leaf = operation.leaf_of(request.member);
    bool closed;
    {
        LockGuard guard(leaf.lock);
        // acquire [root-1]: pairs with [root-2].
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

// Leaves a copy of what the root sends in the room, if it is small and the peers are not far
// behind.
bool leave_copy(CollectiveOperation &operation, const CollectiveRequest &root) {
    const Movement &movement = root.call.movement;
    if (is_gather(root.call.collective))
        return false;
    if (others_are_far_behind(operation))
        return false;
    if (root.call.collective == Collective::Bcast) {
        Block block = movement.send[0];
        operation.room_bytes = block.size_bytes();
        const auto open = static_cast<size_t>(
            std::max<int64_t>(0, operation.sequence->open_before(operation.number)));
        if (operation.room_bytes > bcast_room_bytes_max ||
            operation.room_bytes * (open + 1) > open_bytes_max)
            return false;
        pack_block(block, operation.room.at_least(operation.room_bytes));
        return true;
    }
    int peers = root.comm->remote_size;
    size_t total_bytes = 0;
    for (int i = 0; i < peers; ++i)
        total_bytes += movement.send[i].size_bytes();
    if (total_bytes > scatter_room_bytes_max)
        return false;
    operation.room_bytes = scatter_room_bytes(peers, total_bytes);
    pack_scatter(movement.send, peers, operation.room.at_least(operation.room_bytes));
    return true;
}

// A piece of the root's work: one peer that has waited, or what the root sends to itself.
void serve_item(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    if (piece == operation.items_count) {
        exchange_own_block(*operation.root);
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

// The root's data are in the room.
void complete_from_room(CollectiveRequest *waiting) {
    TaskList awake;
    while (CollectiveRequest *peer = waiting) {
        waiting = peer->next;
        peer->takes = true; // and leaves, in its completion call
        complete(*peer, awake);
    }
    wake(awake);
}

// Serves those who have waited, and the root itself: the operation may be over afterwards.
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

void begin_as_root(CollectiveOperation &operation, CollectiveRequest &root) MAY_SUSPEND {
    operation.root = &root;
    if (operation.count_arrival(root.member))
        close(operation);
    operation.buffered = leave_copy(operation, root);
    operation.published.store(true, std::memory_order_release); // release [root-2]
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
    complete_from_room(waiting);
    exchange_own_block(root);
    finish_own(operation, root);
}

} // namespace

void take_from_root(CollectiveRequest &request) {
    const CollectiveOperation &operation = *request.operation;
    Block to = request.call.movement.receive[0];
    const char *from = operation.room.bytes;
    size_t sent_bytes = operation.room_bytes;
    if (request.call.collective != Collective::Bcast) {
        sent_bytes = scattered_bytes(operation.room.bytes, request.comm->rank);
        from = scattered_block(operation.room.bytes, request.comm->rank);
    }
    unpack_block(from, sent_bytes, to);
    size_t room_bytes = to.size_bytes();
    if (sent_bytes > room_bytes) [[unlikely]]
        truncate(request, request.call.root, sent_bytes, room_bytes);
}

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
        // In one group everybody has said who is the root.
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
        request.misfit = true; // another rank takes itself for the root as well
        operation.dispute.record({.kind = Dispute::Kind::Roots,
                                  .calls = {earlier, request.announcement},
                                  .size_bytes = {}});
    }
    begin_as_peer(operation, request);
}

void abstain_from_rooted(CollectiveOperation &operation, int member) {
    if (operation.count_arrival(member))
        close(operation);
    depart(operation, member);
}

} // namespace thrum
