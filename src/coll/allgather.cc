// MPI_Allgather(v) (section 6.7). Small contributions: the last to arrive packs them into the
// round's scratch buffer, from which all unpack. Large ones: every member copies directly from the
// others' send buffers, and all meet once more before they continue. Non-blocking: the same, and
// the copies of a large one are work in pieces, one for each receiver.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "comm/group.h"
#include "meeting/amount_comparison.h"
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/work.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {
namespace {

// Unpacks what all ranks have sent: in one pass if the blocks are one run of elements, otherwise
// block by block. Returns MPI_ERR_TRUNCATE if there are more bytes than room.
Error unpack_allgather(const char *from, size_t size_bytes, const Blocks &receive, int count) {
    size_t left_bytes = size_bytes;
    if (receive.is_one_run() && left_bytes > 0) {
        Block first = receive[0];
        Count all = first.count * count;
        if (left_bytes <= data_bytes(all, *first.type)) {
            unpack_bytes(from, 0, left_bytes, first.address, all, *first.type);
            return success;
        }
    }
    for (int i = 0; i < count && left_bytes > 0; ++i) {
        Block to = receive[i];
        size_t block_bytes = std::min(to.size_bytes(), left_bytes);
        unpack_block(from, block_bytes, to);
        from += block_bytes;
        left_bytes -= block_bytes;
    }
    return left_bytes == 0 ? success
                           : fail(MPI_ERR_TRUNCATE,
                                  "all ranks together send %zu bytes more than "
                                  "recvcount has room for",
                                  left_bytes);
}

// Blocking

using Until = Attendance::Until;
constexpr size_t packed_bytes_max = 32768; // all contributions together

// Where contributions are read from: the scratch buffer, or the send buffers.
enum Mode { Packed, Direct };

// What a member publishes: what it sends, and where it receives.
struct Argument : Block {
    const Blocks *receive;
};

// Returns whether all types have the same word, and the amounts agree: what each member sends with
// its own block to receive, and with the caller's. If no member receives differing amounts from
// different members, that is all.
bool all_surely_match(const Attendance &attendance, const Blocks &receive, int count) {
    const Datatype &first = *attendance.argument<Argument>(0).type;
    bool match = true;
    for (int i = 0; i < count && match; ++i) {
        const Argument &argument = attendance.argument<Argument>(i);
        const size_t sent_bytes = argument.size_bytes();
        match = types_surely_match(*argument.type, first) &&
                types_surely_match(*argument.receive->type(), first) &&
                sent_bytes == (*argument.receive)[i].size_bytes() &&
                sent_bytes == receive[i].size_bytes();
    }
    return match;
}

// Chooses the mode, and packs a small total. The last to arrive calls it; a large total is not
// computed to its end. Data that may not match are copied directly: each member compares its own.
void pack_small(Attendance &attendance, const Blocks &receive, int count) {
    Round &round = attendance.round();
    size_t total_bytes = 0;
    for (int i = 0; i < count && total_bytes <= packed_bytes_max; ++i)
        total_bytes += attendance.argument<Argument>(i).size_bytes();
    const bool is_packed =
        total_bytes <= packed_bytes_max && all_surely_match(attendance, receive, count);
    round.mode = is_packed ? Packed : Direct;
    if (!is_packed)
        return;
    round.size_bytes = total_bytes;
    char *to = round.scratch.at_least(total_bytes);
    for (int i = 0; i < count; ++i)
        to += pack_block(attendance.argument<Argument>(i), to);
}

// Packed contributions need no second meeting, because the scratch buffer stays unchanged until all
// have left the round. Direct copies do: a member must not change its send buffer while others read
// it.
Error run_allgather(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Blocks &receive = call.movement.receive;
    const bool in_place = !call.movement.send;
    const Collective collective = call.collective;
    const Argument mine{in_place ? receive[comm.rank] : call.movement.send[0], &receive};
    Attendance attendance(comm, Announcement::make(collective), &mine);
    if (comm.inter)
        attendance.pass(Until::Complete);
    else
        attendance.pass_with([&] { pack_small(attendance, receive, comm.size); });
    if (Error error = attendance.verdict())
        return error;
    if (!comm.inter && attendance.round().mode == Packed)
        return unpack_allgather(attendance.round().scratch.bytes, attendance.round().size_bytes,
                                receive, comm.size);

    Error error;
    CopyingFor copying;
    for (int i = 0; i < comm.remote_size; ++i) {
        // Every member starts at another rank, so that the cores do not all read the same block at
        // once.
        int peer = (comm.rank + i) % comm.remote_size;
        if (in_place && peer == comm.rank)
            continue;
        int member = member_of(comm, comm.inter ? 1 - comm.side : 0, peer);
        const Block &from = attendance.argument<Argument>(member);
        Block to = receive[peer];
        copying.set(comm.peer(peer).rank);
        if (Error types = check_transfer(comm, from, member, to, member_of(comm))) [[unlikely]]
            error = types;
        if (!copy_block(from, to))
            error = fail(MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, but there is room for %zu",
                         peer, from.size_bytes(), to.size_bytes());
    }
    const Error second = pass_round(comm, Announcement::make(collective, 1));
    return error ? error : second;
}

// Non-blocking

// Returns the block that a member contributes; with MPI_IN_PLACE it is in the receive buffer.
Block gathered_block(const CollectiveRequest &from) {
    const Movement &movement = from.call.movement;
    return movement.send ? movement.send[0] : movement.receive[from.comm->rank];
}

// Runs a piece of work: everything that one member receives.
void allgather_piece(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    Contributors sources = contributors(*to.comm);
    for (int rank = 0; rank < sources.count; ++rank) {
        int member = sources.first + rank;
        if (member != to.member || to.call.movement.send)
            copy_to(to, rank, gathered_block(*operation.requests[member]),
                    to.call.movement.receive[rank]);
    }
}

// Does what it does for the blocking form.
bool all_surely_match(const CollectiveOperation &operation, const Blocks &receive) {
    const Datatype &first = *gathered_block(*operation.requests[0]).type;
    bool match = true;
    for (int i = 0; i < operation.owner->members && match; ++i) {
        const CollectiveRequest &request = *operation.requests[i];
        const Block block = gathered_block(request);
        const Blocks &own = request.call.movement.receive;
        match = types_surely_match(*block.type, first) && types_surely_match(*own.type(), first) &&
                block.size_bytes() == own[i].size_bytes() &&
                block.size_bytes() == receive[i].size_bytes();
    }
    return match;
}

// Runs in the last member to arrive. A small result is packed once and unpacked by each member in
// its own completion call; a large one, or one that may not match, is copied in pieces.
void finish_allgather(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    int members = operation.owner->members;
    size_t total_bytes = 0;
    for (int member = 0; member < members; ++member)
        total_bytes += gathered_block(*operation.requests[member]).size_bytes();
    if (last.comm->inter || total_bytes > packed_bytes_max ||
        !all_surely_match(operation, last.call.movement.receive)) {
        size_t size_bytes = total_bytes * static_cast<size_t>(last.comm->size);
        do_work(operation, last, members, size_bytes, allgather_piece, finish_in_place);
        return;
    }
    operation.scratch_bytes = total_bytes;
    char *to = operation.scratch.at_least(total_bytes);
    for (int member = 0; member < members; ++member)
        to += pack_block(gathered_block(*operation.requests[member]), to);
    complete_all(operation, Result::InScratch, &last);
}

void begin_allgather(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    if (join(operation, request) && all_agree(operation))
        finish_allgather(operation, request);
}

// Takes a small result, in the member's completion call.
void take_allgather(CollectiveRequest &request) {
    const CollectiveOperation &operation = *request.operation;
    const Blocks &receive = request.call.movement.receive;
    const int size = request.comm->size;
    if (!unpack_allgather(operation.scratch.bytes, operation.scratch_bytes, receive, size))
        return;
    request.fault.kind = Fault::Kind::AllTruncated;
    request.fault.sent_bytes = operation.scratch_bytes;
    request.fault.room_bytes = size_of_all(receive, size);
}

// Between node processes

// Stores what the members of process `index`, of side `side`, have sent in the blocks of all local
// members. With MPI_IN_PLACE, a member's own data are already in place.
void take_gathered(ProcessPart &part, int index, int side, const SharedBytes &packet) {
    const std::vector<int> ranks = part.ranks_at(index, side);
    for (size_t i = 0; i < part.locals.size(); ++i) {
        if (part.inter && part.side_of(i) == side)
            continue;
        const Movement &movement = part.call(i).movement;
        Bundle bundle(packet, ranks.size());
        for (int rank : ranks) {
            const bool in_place = !movement.send && rank == part.rank_of(i);
            const Block block =
                in_place ? Block{nullptr, 0, movement.receive[rank].type} : movement.receive[rank];
            const SentBlock sent = bundle.take(block);
            if (!in_place)
                compare(*part.locals[i], rank, sent, block);
        }
    }
}

// Returns the packet with the contributions of all local members of a side.
SharedBytes contribution_of(const ProcessPart &part, int side) {
    std::vector<Block> blocks;
    for (size_t i = 0; i < part.locals.size(); ++i)
        if (part.side_of(i) == side) {
            const Movement &movement = part.call(i).movement;
            blocks.push_back(movement.send ? movement.send[0] : movement.receive[part.rank_of(i)]);
        }
    return Bundle(blocks, common_call(part)).packet();
}

// Sends from every process of one side to every process of the other.
Flow allgather_between(ProcessPart &part) MAY_SUSPEND {
    const ProcessMap &span = part.span;
    for (int side : {0, 1}) {
        if (position_in(span.sides[side].processes, span.here) < 0)
            continue;
        const SharedBytes mine = contribution_of(part, side);
        for (int index : span.sides[1 - side].processes)
            if (index != span.here)
                part.exchange.send(index, mine);
            else
                take_gathered(part, index, side, mine);
    }
    for (int side : {0, 1}) {
        if (position_in(span.sides[1 - side].processes, span.here) < 0)
            continue;
        for (int index : span.sides[side].processes) {
            if (index == span.here)
                continue;
            const SharedBytes packet = co_await part.exchange.receive(index);
            take_gathered(part, index, side, packet);
        }
    }
}

// Passes packets around the ring of processes: each forwards what it received last.
Flow allgather_in_ring(ProcessPart &part, const SharedBytes &mine) MAY_SUSPEND {
    const int count = part.span.count(), here = part.span.here;
    SharedBytes packet = mine;
    for (int step = 1; step < count; ++step) {
        part.exchange.send((here + 1) % count, packet);
        packet = co_await part.exchange.receive((here + count - 1) % count);
        take_gathered(part, (here + count - step) % count, 0, packet);
    }
}

constexpr size_t ring_bytes_min = 64 << 10; // all blocks together

// Large blocks travel around the ring, where every process sends and receives as much as any other.
// Small ones are collected and then broadcast, which takes fewer steps.
Flow allgather_flow(ProcessPart &part) MAY_SUSPEND {
    if (part.inter) {
        co_await allgather_between(part);
        co_return;
    }
    const SharedBytes mine = contribution_of(part, 0);
    size_t total_bytes = 0; // the same at all ranks
    for (int rank = 0; rank < part.side_size[0]; ++rank)
        total_bytes += part.call(0).movement.receive[rank].size_bytes();
    if (total_bytes >= ring_bytes_min) {
        co_await allgather_in_ring(part, mine);
        take_gathered(part, part.span.here, 0, mine);
        co_return;
    }
    std::vector<SharedBytes> packets;
    co_await collect_packets(part, mine, packets);
    for (int index = 0; index < part.span.count(); ++index)
        take_gathered(part, index, 0, packets[static_cast<size_t>(index)]);
}

} // namespace

const CollectiveForms allgather_forms = {
    .run = run_allgather,
    .begin = begin_allgather,
    .take = take_allgather,
    .abstain = abstain,
    .flow = allgather_flow,
};

} // namespace thrum
