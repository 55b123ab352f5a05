// MPI_Gather(v) (section 6.5).
//
// Small blocks: the last to arrive copies them for all, and the operation is over. Otherwise each
// rank copies its own block directly into the root's buffer, and the root waits in a second round.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "coll/rooted.h"
#include "comm/group.h"
#include "meeting/amount_comparison.h"
#include "meeting/round.h"

#include <mpi.h>

namespace thrum {
namespace {

// Blocking

using Until = Attendance::Until;
constexpr size_t small_bytes_max = 32768; // all blocks together

// How the round was done: copied by the last to arrive, or by each rank.
enum Mode { Done, Direct };

// Returns the members that send to member `root_member`.
Contributors peers_of(const Communicator &comm, int root_member) {
    const bool root_is_on_side_0 = comm.inter && root_member < member_of(comm, 1, 0);
    return members_of_side(comm, root_is_on_side_0 ? 1 : 0);
}

Error truncated(int rank) {
    return fail(MPI_ERR_TRUNCATE, "rank %d sends more than the root has room for", rank);
}

// Runs the second round of the direct form. `does_not_fit`: this rank's block did not; the root
// gets that error, too.
Error finish_direct(Communicator &comm, Collective collective, int root, bool is_root,
                    bool does_not_fit) MAY_SUSPEND {
    Attendance attendance(comm, rooted_announcement(comm, collective, 1, root));
    if (does_not_fit)
        attendance.round().truncated.store(attendance.member(), std::memory_order_relaxed);
    attendance.pass(is_root ? Until::Complete : Until::Nothing);
    int member = is_root ? attendance.round().truncated.load(std::memory_order_relaxed) : -1;
    if (member >= 0)
        return truncated(member - peers_of(comm, attendance.member()).first);
    return is_root ? attendance.verdict() : success;
}

// Returns the member that receives, or -1. Called when all members have arrived.
int receiver_of(const Attendance &attendance, const Communicator &comm, int root) {
    if (!comm.inter)
        return root;
    for (int member = 0; member < attendance.meeting().members; ++member)
        if (attendance.argument<Movement>(member).receive)
            return member;
    return -1;
}

// Copies everything if it is little, otherwise leaves it to the members. The last to arrive calls
// it.
void gather_small(Attendance &attendance, const Communicator &comm, int root_member) {
    Round &round = attendance.round();
    round.mode = Done;
    if (root_member < 0)
        return;
    const Blocks &receive = attendance.argument<Movement>(root_member).receive;
    Contributors peers = peers_of(comm, root_member);
    size_t total_bytes = 0;
    for (int i = 0; i < peers.count && total_bytes <= small_bytes_max; ++i)
        if (const Blocks &send = attendance.argument<Movement>(peers.first + i).send)
            total_bytes += send[0].size_bytes();
    if (total_bytes > small_bytes_max) {
        round.mode = Direct;
        return;
    }
    for (int i = 0; i < peers.count; ++i) {
        const Blocks &send = attendance.argument<Movement>(peers.first + i).send;
        if (!send)
            continue;
        const Block from = send[0], to = receive[i];
        if (Error error = check_transfer(comm, from, peers.first + i, to, root_member))
            attendance.dispute_types(error);
        if (!copy_block(from, to))
            round.truncated.store(peers.first + i, std::memory_order_relaxed);
    }
}

// After the first round, the operation is either done, or each sender copies into the root's buffer
// and reports in the second round whether its block fitted.
Error run_gather(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Collective collective = call.collective;
    const int root = call.root;
    const auto &[send, receive] = call.movement;
    Attendance attendance(comm, rooted_announcement(comm, collective, 0, root), &call.movement);
    attendance.pass_with(
        [&] { gather_small(attendance, comm, receiver_of(attendance, comm, root)); });
    if (Error error = attendance.verdict())
        return error;
    Round &round = attendance.round();
    if (round.mode == Done) {
        int member = round.truncated.load(std::memory_order_relaxed);
        if (member < 0 || (!receive && member != attendance.member()))
            return success;
        return truncated(receive ? member - peers_of(comm, attendance.member()).first : comm.rank);
    }
    bool fits = true;
    Error types;
    if (send) {
        int root_member = receiver_of(attendance, comm, root);
        const Block from = send[0];
        const Block to = attendance.argument<Movement>(root_member).receive[comm.rank];
        types = check_transfer(comm, from, member_of(comm), to, root_member);
        CopyingFor copying;
        copying.set(comm.peer(root).rank);
        fits = copy_block(from, to);
    }
    Error error = finish_direct(comm, collective, root, static_cast<bool>(receive), !fits);
    if (!error && !fits)
        error = truncated(comm.rank);
    return error ? error : types;
}

// Non-blocking

Transfer gather_transfer(const Movement &root, const Movement &peer, int rank) {
    return {peer.send[0], root.receive[rank]};
}

// Between node processes

// Collects one packet of each process at the root. The root's own process needs none: its blocks
// are copied directly.
Flow gather_flow(ProcessPart &part) MAY_SUSPEND {
    const Root root = find_root(part);
    if (root.index < 0)
        co_return;
    std::vector<Block> blocks;
    std::vector<const Participant *> senders;
    for (size_t i = 0; i < part.locals.size(); ++i)
        if (part.side_of(i) == root.side) {
            const Blocks &send = part.call(i).movement.send;
            blocks.push_back(send ? send[0] : Block{});
            senders.push_back(part.locals[i]);
        }
    const std::vector<int> &list = part.span.sides[root.side].processes;
    SharedBytes mine; // except the root's own
    if (root.local < 0 && !blocks.empty())
        mine = Bundle(blocks, common_call(part)).packet();
    std::vector<SharedBytes> packets;
    co_await collect_at(part, list, root.index, mine, packets);
    if (root.local < 0)
        co_return;
    Participant &receiver = part.local_root(root.local);
    const Blocks &receive = receiver.call->movement.receive;
    for (size_t position = 0; position < list.size(); ++position) {
        const std::vector<int> ranks = part.ranks_at(list[position], root.side);
        if (list[position] == part.span.here) {
            for (size_t k = 0; k < ranks.size(); ++k)
                if (blocks[k].type) // otherwise the root's own, in place
                    move_here(blocks[k], receive[ranks[k]], *senders[k], receiver);
            continue;
        }
        Bundle bundle(std::move(packets[position]), ranks.size());
        for (int rank : ranks) {
            const Block block = receive[rank];
            compare(receiver, rank, bundle.take(block), block);
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
