// MPI_Gather(v) (section 6.5).
//
// The last to arrive copies small blocks for everybody, and the operation is over; else each rank
// copies its own block straight into the root's buffer, and the root waits in a second round.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "coll/rooted.h"
#include "meeting/round.h"

#include <mpi.h>

namespace thrum {
namespace {

// Blocking

using Until = Visit::Until;
constexpr size_t small_bytes_max = 32768; // of all blocks together

enum Mode { Done, Direct };

// The members that send to member `root_member`.
Contributors peers_of(const Communicator &comm, int root_member) {
    const bool root_is_on_side_0 = comm.inter && root_member < member_of(comm, 1, 0);
    return members_of_side(comm, root_is_on_side_0 ? 1 : 0);
}

Error truncated(int rank) {
    return fail(MPI_ERR_TRUNCATE, "rank %d sends more than the root has room for", rank);
}

// Second round of the direct forms. Of a gather's, `truncated` says whether this rank found that
// its block does not fit.
Error finish_direct(Communicator &comm, Collective collective, int root, bool is_root,
                    bool does_not_fit) MAY_SUSPEND {
    Visit visit(comm, rooted_announcement(comm, collective, 1, root));
    if (does_not_fit)
        visit.round().truncated.store(visit.member(), std::memory_order_relaxed);
    visit.pass(is_root ? Until::Complete : Until::Nothing);
    int member = is_root ? visit.round().truncated.load(std::memory_order_relaxed) : -1;
    if (member >= 0)
        return truncated(member - peers_of(comm, visit.member()).first);
    return is_root ? visit.verdict() : success;
}

// The member that receives, or -1. Everybody has arrived.
int receiver_of(const Visit &visit, const Communicator &comm, int root) {
    if (!comm.inter)
        return root;
    for (int member = 0; member < visit.meeting().members; ++member)
        if (visit.argument<Movement>(member).receive)
            return member;
    return -1;
}

// Done by the last to arrive: copies everything if it is little, else leaves it to everybody.
void gather_small(Visit &visit, const Communicator &comm, int root_member) {
    Round &round = visit.round();
    round.mode = Done;
    if (root_member < 0)
        return;
    const Blocks &receive = visit.argument<Movement>(root_member).receive;
    Contributors peers = peers_of(comm, root_member);
    size_t total_bytes = 0;
    for (int i = 0; i < peers.count && total_bytes <= small_bytes_max; ++i)
        if (const Blocks &send = visit.argument<Movement>(peers.first + i).send)
            total_bytes += send[0].size_bytes();
    if (total_bytes > small_bytes_max) {
        round.mode = Direct;
        return;
    }
    for (int i = 0; i < peers.count; ++i) {
        const Blocks &send = visit.argument<Movement>(peers.first + i).send;
        if (send && !copy_block(send[0], receive[i]))
            round.truncated.store(peers.first + i, std::memory_order_relaxed);
    }
}

Error run_gather(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Collective collective = call.collective;
    const int root = call.root;
    const auto &[send, receive] = call.movement;
    Visit visit(comm, rooted_announcement(comm, collective, 0, root), &call.movement);
    visit.pass_with([&] { gather_small(visit, comm, receiver_of(visit, comm, root)); });
    if (Error error = visit.verdict())
        return error;
    Round &round = visit.round();
    if (round.mode == Done) {
        int member = round.truncated.load(std::memory_order_relaxed);
        if (member < 0 || (!receive && member != visit.member()))
            return success;
        return truncated(receive ? member - peers_of(comm, visit.member()).first : comm.rank);
    }
    bool fits = true;
    if (send) {
        int root_member = receiver_of(visit, comm, root);
        fits = copy_block(send[0], visit.argument<Movement>(root_member).receive[comm.rank]);
    }
    Error error = finish_direct(comm, collective, root, static_cast<bool>(receive), !fits);
    return fits || error ? error : truncated(comm.rank);
}

// Non-blocking

Transfer gather_transfer(const Movement &root, const Movement &peer, int rank) {
    return {peer.send[0], root.receive[rank]};
}

// Between node processes

Flow gather_flow(ProcessPart &part) MAY_SUSPEND {
    const Root root = find_root(part);
    if (root.index < 0)
        co_return;
    std::vector<Block> blocks;
    for (size_t i = 0; i < part.locals.size(); ++i)
        if (part.side_of(i) == root.side) {
            const Blocks &send = part.call(i).movement.send;
            blocks.push_back(send ? send[0] : Block{});
        }
    const std::vector<int> &list = part.span.sides[root.side].processes;
    Packet mine; // not the root's own
    if (root.local < 0 && !blocks.empty())
        mine = Bundle(blocks).packet();
    std::vector<Packet> packets;
    co_await collect_at(part, list, root.index, mine, packets);
    if (root.local < 0)
        co_return;
    Participant &receiver = part.local_root(root.local);
    const Blocks &receive = receiver.call->movement.receive;
    for (size_t position = 0; position < list.size(); ++position) {
        const std::vector<int> ranks = part.ranks_at(list[position], root.side);
        if (list[position] == part.span.here) {
            for (size_t k = 0; k < ranks.size(); ++k)
                if (blocks[k].type) // else the root's own, in place
                    move_here(blocks[k], receive[ranks[k]], ranks[k], receiver);
            continue;
        }
        Bundle bundle(std::move(packets[position]), ranks.size());
        for (int rank : ranks) {
            const Block block = receive[rank];
            blame_truncation(receiver, rank, bundle.take(block), block);
        }
    }
}

} // namespace

const RootedForms gather_forms = {
    {.run = run_gather,
     .begin = begin_rooted,
     .take = nullptr,
     .abstain = abstain_from_rooted,
     .flow = gather_flow},
    {.gathers = true, .transfer = gather_transfer, .leave_copy = nullptr}};

} // namespace thrum
