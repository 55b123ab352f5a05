// MPI_Scatter(v) (section 6.6).
//
// Small blocks are packed into the round's scratch buffer, and the root continues at once.
// Otherwise each rank copies its own block from the root's buffer, and the root waits in a second
// round.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "coll/rooted.h"
#include "comm/call_names.h"
#include "comm/group.h"
#include "meeting/amount_comparison.h"
#include "meeting/round.h"

#include <mpi.h>

namespace thrum {
namespace {

// Packs a small scatter into a scratch buffer: offsets of the blocks, then the blocks.
void pack_scatter(const Blocks &blocks, int count, size_t total_bytes, ScratchBuffer &scratch) {
    const size_t head_bytes = (static_cast<size_t>(count) + 1) * sizeof(size_t);
    char *bytes = scratch.at_least(head_bytes + total_bytes);
    auto *offsets = reinterpret_cast<size_t *>(bytes);
    offsets[0] = head_bytes;
    for (int i = 0; i < count; ++i)
        offsets[i + 1] = offsets[i] + pack_block(blocks[i], bytes + offsets[i]);
}

// Unpacks the block of rank `rank` into `to`, as far as it fits; returns the bytes that were sent.
size_t unpack_scatter(const ScratchBuffer &scratch, int rank, const Block &to) {
    const size_t *offsets = reinterpret_cast<const size_t *>(scratch.bytes) + rank;
    const size_t sent_bytes = offsets[1] - offsets[0];
    unpack_block(scratch.bytes + offsets[0], sent_bytes, to);
    return sent_bytes;
}

// Blocking

using Until = Attendance::Until;
constexpr size_t small_bytes_max = 32768; // all blocks together

// Where the receivers copy from: the scratch buffer, or the root's buffer.
enum Mode { Buffered, Direct };

// Runs the root's part, like that of a broadcast: it publishes whether the blocks are packed, or
// copied from its buffer.
Error scatter_from(Communicator &comm, const Blocks &send, int root,
                   Collective collective) MAY_SUSPEND {
    Attendance attendance(comm, rooted_announcement(comm, collective, 0, root), &send);
    if (!attendance.claim()) {
        attendance.wait(Until::Published);
        attendance.dispute(attendance.round().publisher);
        attendance.pass(Until::Nothing);
        if (attendance.round().mode == Direct)
            (void)stay(comm, collective, root, Until::Nothing);
        return attendance.verdict();
    }
    Round &round = attendance.round();
    const size_t total_bytes = size_of_all(send, comm.remote_size);
    bool direct = total_bytes > small_bytes_max;
    round.mode = direct ? Direct : Buffered;
    if (!direct) {
        pack_scatter(send, comm.remote_size, total_bytes, round.scratch);
        round.type.set(send.type());
    }
    attendance.publish();
    attendance.pass_as_root();
    Error error = attendance.verdict();
    if (!direct)
        return error;
    Error second = stay(comm, collective, root, Until::Complete);
    return error ? error : second;
}

// Runs a receiver's part. `receive` is a null pointer at ranks that only follow the rounds.
Error scatter_to(Communicator &comm, const Block *receive, int root,
                 Collective collective) MAY_SUSPEND {
    Attendance attendance(comm, rooted_announcement(comm, collective, 0, root));
    attendance.pass(Until::Published);
    Error error = attendance.verdict();
    if (!attendance.was_claimed())
        return error || !receive ? error : no_root();
    Round &round = attendance.round();
    uint64_t publisher = round.publisher;
    if (!Announcement::agree(publisher, attendance.what())) {
        attendance.dispute(publisher);
        error = attendance.verdict();
        receive = nullptr;
    }
    bool direct = round.mode == Direct;
    size_t sent_bytes = 0, room_bytes = 0;
    Error types;
    if (receive) {
        const int root_member = Announcement::member(publisher), self = member_of(comm);
        room_bytes = receive->size_bytes();
        if (direct) {
            Block block = attendance.argument<Blocks>(root_member)[comm.rank];
            sent_bytes = block.size_bytes();
            types = check_transfer(comm, block, root_member, *receive, self);
            CopyingFor copying;
            copying.set(comm.peer(root).rank);
            copy_block(block, *receive);
        } else {
            sent_bytes = unpack_scatter(round.scratch, comm.rank, *receive);
            if (!round.type.surely_matches(*receive->type) || sent_bytes < room_bytes) [[unlikely]]
                types = round.type.compare(comm, sent_bytes, root_member, *receive, self);
        }
    }
    if (direct && Announcement::collective(publisher) == collective)
        (void)stay(comm, collective, root, Until::Nothing);
    if (!error && sent_bytes > room_bytes)
        error =
            fail(MPI_ERR_TRUNCATE, "the root sends %zu bytes to rank %d, which has room for %zu",
                 sent_bytes, comm.rank, room_bytes);
    return error ? error : types;
}

// The root's own block is copied last, when the other members need nothing more from the root.
Error run_scatter(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Blocks &send = call.movement.send;
    const Block receive = call.movement.receive ? call.movement.receive[0] : Block{};
    const Block *mine = call.movement.receive ? &receive : nullptr;
    if (!send)
        return scatter_to(comm, mine, call.root, call.collective);
    Error error = scatter_from(comm, send, call.root, call.collective);
    if (error || !mine || comm.inter)
        return error;
    const Block own = send[comm.rank];
    if ((error = check_transfer(comm, own, comm.rank, receive, comm.rank)))
        return error;
    return copy_block(own, receive)
               ? success
               : fail(MPI_ERR_TRUNCATE, "the root sends %zu bytes to itself, but has room for %zu",
                      own.size_bytes(), receive.size_bytes());
}

// Non-blocking

Transfer scatter_transfer(const Movement &root, const Movement &peer, int rank) {
    return {root.send[rank], peer.receive[0]};
}

// Leaves a copy of small blocks in the scratch buffer.
bool leave_scatter(CollectiveOperation &operation, const CollectiveRequest &root) {
    const Blocks &send = root.call.movement.send;
    const int peers = root.comm->remote_size;
    const size_t total_bytes = size_of_all(send, peers);
    if (total_bytes > small_bytes_max)
        return false;
    pack_scatter(send, peers, total_bytes, operation.scratch);
    operation.scratch_type.set(send.type());
    return true;
}

// Takes the member's block, in its completion call.
void take_scatter(CollectiveRequest &request) {
    const Block to = request.call.movement.receive[0];
    const size_t sent_bytes = unpack_scatter(request.operation->scratch, request.comm->rank, to);
    check_taken(request, sent_bytes, to);
    if (sent_bytes > to.size_bytes()) [[unlikely]]
        set_truncated(request, request.call.root, sent_bytes, to.size_bytes());
}

// Between node processes

// Distributes one bundle to each process. Blocks for local members of the root's process are copied
// directly.
Flow scatter_flow(ProcessPart &part) MAY_SUSPEND {
    const Root root = find_root(part);
    if (root.index < 0)
        co_return;
    std::vector<size_t> receivers; // local members, in rank order
    for (size_t i = 0; i < part.locals.size(); ++i)
        if (part.side_of(i) == root.side)
            receivers.push_back(i);
    const std::vector<int> &list = part.span.sides[root.side].processes;
    std::vector<SharedBytes> packets;
    SharedBytes mine;
    if (root.local < 0) {
        co_await deal_from(part, list, root.index, packets, mine);
        if (receivers.empty())
            co_return;
        Bundle bundle(std::move(mine), receivers.size());
        for (size_t i : receivers) {
            const Block block = part.call(i).movement.receive[0];
            compare(*part.locals[i], root.rank, bundle.take(block), block);
        }
        co_return;
    }
    const Participant &sender = part.local_root(root.local);
    const Blocks &send = sender.call->movement.send;
    for (int index : list) {
        std::vector<Block> blocks; // except the root's own
        for (int rank : part.ranks_at(index, root.side))
            blocks.push_back(index == part.span.here ? Block{} : send[rank]);
        packets.push_back(Bundle(blocks, code_of_call(sender.place)).packet());
    }
    co_await deal_from(part, list, root.index, packets, mine);
    for (size_t i : receivers)
        if (const Blocks &receive = part.call(i).movement.receive)
            move_here(send[part.rank_of(i)], receive[0], sender, *part.locals[i]);
}

} // namespace

const RootedForms scatter_forms = {
    {.run = run_scatter,
     .begin = begin_rooted,
     .take = take_scatter,
     .abstain = abstain_from_rooted,
     .flow = scatter_flow},
    {.gathers = false, .transfer = scatter_transfer, .leave_copy = leave_scatter}};

} // namespace thrum
