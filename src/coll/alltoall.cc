// MPI_Alltoall(v,w) (section 6.8). All meet, every member copies its data from the others' send
// buffers, and all meet again. Few small blocks are all copied by the last to arrive, while the
// others still wait. Non-blocking: the last to arrive copies, in pieces, one for each
// receiver.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "comm/group.h"
#include "meeting/amount_comparison.h"
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/work.h"

#include <mpi.h>

#include <algorithm>
#include <memory>

namespace thrum {
namespace {

// Blocking

using Until = Attendance::Until;

// Who copies: the last member to arrive all data, or each member what it receives.
enum Mode { AtOnce, Each };

// What a member publishes.
struct Argument {
    const Blocks *send;
    const Blocks *receive;
};

// More are copied faster by all together, although they must meet again.
constexpr int members_at_once_max = 32;
constexpr size_t bytes_at_once_max = 16 << 10; // of all data

// Returns whether all blocks are alike and small enough to be copied by one member.
bool may_copy_at_once(const Attendance &attendance, const Blocks &mine, int members) {
    const Datatype *first = mine.type();
    if (members > members_at_once_max || !mine.is_one_run())
        return false;
    const size_t block_bytes = mine[0].size_bytes();
    const auto alike = [&](const Blocks &blocks) {
        return blocks.is_one_run() && types_surely_match(*blocks.type(), *first) &&
               blocks[0].size_bytes() == block_bytes;
    };
    if (block_bytes * static_cast<size_t>(members * members) > bytes_at_once_max)
        return false;
    for (int i = 0; i < members; ++i) {
        const auto &argument = attendance.argument<Argument>(i);
        if (!alike(*argument.send) || !alike(*argument.receive))
            return false;
    }
    return true;
}

// Chooses the mode, and copies all data if they are few. The last to arrive calls it.
void exchange_small(Attendance &attendance, const Blocks &mine, int members) {
    const bool at_once = may_copy_at_once(attendance, mine, members);
    attendance.round().mode = at_once ? AtOnce : Each;
    const Communicator &comm = attendance.comm();
    CopyingFor copying;
    for (int to = 0; at_once && to < members; ++to)
        for (int from = 0; from < members; ++from) {
            copying.set(comm.peer(from == comm.rank ? to : from).rank);
            copy_block((*attendance.argument<Argument>(from).send)[to],
                       (*attendance.argument<Argument>(to).receive)[from]);
        }
}

// Every member starts with its own block and continues with its right neighbour, so that the
// members do not all read the same send buffer. The second round keeps send buffers unchanged until
// all have copied.
Error exchange(Communicator &comm, const Blocks &send, const Blocks &receive,
               Collective collective) MAY_SUSPEND {
    const Argument mine{&send, &receive};
    Attendance attendance(comm, Announcement::make(collective), &mine);
    if (comm.inter)
        attendance.pass(Until::Complete);
    else
        attendance.pass_with([&] { exchange_small(attendance, send, comm.size); });
    if (Error error = attendance.verdict())
        return error;
    if (!comm.inter && attendance.round().mode == AtOnce)
        return success;
    Error error;
    CopyingFor copying;
    for (int i = 0; i < comm.remote_size; ++i) {
        int peer = comm.rank + i;
        if (peer >= comm.remote_size)
            peer %= comm.remote_size;
        int member = member_of(comm, comm.inter ? 1 - comm.side : 0, peer);
        Block from = (*attendance.argument<Argument>(member).send)[comm.rank];
        Block to = receive[peer];
        copying.set(comm.peer(peer).rank);
        if (Error types = check_transfer(comm, from, member, to, member_of(comm))) [[unlikely]]
            error = types;
        if (!copy_block(from, to)) [[unlikely]]
            error = fail(MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, but there is room for %zu",
                         peer, from.size_bytes(), to.size_bytes());
    }
    const Error second = pass_round(comm, Announcement::make(collective, 1));
    return error ? error : second;
}

Error run_alltoall(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Blocks &receive = call.movement.receive;
    if (call.movement.send)
        return exchange(comm, call.movement.send, receive, call.collective);
    // With MPI_IN_PLACE the data to send are in the receive buffers, so a packed copy is sent
    // instead.
    PackedCopy copy(receive, comm.size);
    return exchange(comm, copy.blocks(), receive, call.collective);
}

// Non-blocking

// Runs a piece of work: all that one member receives.
void alltoall_piece(CollectiveOperation &operation, CollectiveRequest &, int piece) {
    CollectiveRequest &to = *operation.requests[piece];
    Contributors sources = contributors(*to.comm);
    for (int rank = 0; rank < sources.count; ++rank)
        copy_to(to, rank, operation.requests[sources.first + rank]->sent()[to.comm->rank],
                to.call.movement.receive[rank]);
}

void finish_alltoall(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND {
    // An estimate, for inviting helpers: blocks may have different sizes.
    auto members = static_cast<size_t>(operation.owner->members);
    size_t block_bytes = std::max<size_t>(64, last.call.movement.receive[0].size_bytes());
    do_work(operation, last, operation.owner->members, members * members * block_bytes,
            alltoall_piece, finish_in_place);
}

void begin_alltoall(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    // With MPI_IN_PLACE its receive buffer is overwritten while others read what it sends.
    if (!request.misfit && !request.call.movement.send) [[unlikely]]
        request.rare().copy =
            std::make_unique<PackedCopy>(request.call.movement.receive, request.comm->size);
    if (join(operation, request) && all_agree(operation))
        finish_alltoall(operation, request);
}

// Between node processes

// What the local members send; with MPI_IN_PLACE a copy.
struct Sent {
    std::vector<std::unique_ptr<PackedCopy>> copies;
    std::vector<Blocks> blocks; // by local member

    explicit Sent(const ProcessPart &part) {
        for (size_t i = 0; i < part.locals.size(); ++i) {
            const Movement &movement = part.call(i).movement;
            if (!movement.send)
                copies.push_back(std::make_unique<PackedCopy>(movement.receive, part.side_size[0]));
            blocks.push_back(movement.send ? movement.send : copies.back()->blocks());
        }
    }
};

// Returns the ranks at process `index` that member `local` sends to and receives from.
std::vector<int> partners(const ProcessPart &part, size_t local, int index) {
    return part.ranks_at(index, part.inter ? 1 - part.side_of(local) : 0);
}

// Returns the members of process `index`, as side and rank, in the order of their numbers.
std::vector<std::pair<int, int>> members_at(const ProcessPart &part, int index) {
    std::vector<std::pair<int, int>> members;
    for (int side : {0, 1})
        for (int rank : part.ranks_at(index, side))
            members.emplace_back(side, rank);
    return members;
}

// Returns whether members of these two sides exchange data.
bool send_to_each_other(const ProcessPart &part, int side, int other_side) {
    return !part.inter || side != other_side;
}

// Copies between members of this process.
void exchange_here(ProcessPart &part, const Sent &sent) {
    for (size_t i = 0; i < part.locals.size(); ++i)
        for (size_t j = 0; j < part.locals.size(); ++j)
            if (send_to_each_other(part, part.side_of(i), part.side_of(j)))
                move_here(sent.blocks[i][part.rank_of(j)],
                          part.call(j).movement.receive[part.rank_of(i)], *part.locals[i],
                          *part.locals[j]);
}

// Sends one packet to each process, with the data from each local member to each member there. All
// packets are sent before the first is awaited, so processes cannot wait for each other in a cycle.
Flow alltoall_flow(ProcessPart &part) MAY_SUSPEND {
    const int count = part.span.count(), here = part.span.here;
    {
        const Sent sent(part);
        const uint64_t call = common_call(part);
        for (int step = 1; step < count; ++step) {
            const int index = (here + step) % count;
            std::vector<Block> blocks;
            for (size_t i = 0; i < part.locals.size(); ++i)
                for (int rank : partners(part, i, index))
                    blocks.push_back(sent.blocks[i][rank]);
            if (!blocks.empty())
                part.exchange.send(index, Bundle(blocks, call).packet());
        }
        exchange_here(part, sent);
    }
    for (int step = 1; step < count; ++step) {
        const int index = (here + count - step) % count;
        std::vector<std::pair<size_t, int>> places; // local receiver, and the sender's rank
        for (auto [side, rank] : members_at(part, index))
            for (size_t j = 0; j < part.locals.size(); ++j)
                if (send_to_each_other(part, side, part.side_of(j)))
                    places.emplace_back(j, rank);
        if (places.empty())
            continue;
        SharedBytes packet = co_await part.exchange.receive(index);
        Bundle bundle(std::move(packet), places.size());
        for (auto [j, rank] : places) {
            const Block block = part.call(j).movement.receive[rank];
            compare(*part.locals[j], rank, bundle.take(block), block);
        }
    }
}

} // namespace

const CollectiveForms alltoall_forms = {
    .run = run_alltoall,
    .begin = begin_alltoall,
    .take = nullptr,
    .abstain = abstain,
    .flow = alltoall_flow,
};

} // namespace thrum
