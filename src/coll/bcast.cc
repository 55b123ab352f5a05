// MPI_Bcast (section 6.4).
//
// A small broadcast is packed into the round's scratch buffer, and the root continues at once. For
// a large one the receivers copy directly from the root's buffer, and the root waits in a second
// round until all have copied. The root announces which case it is, because the receivers need not
// know the same size.
#include "coll/bundle.h"
#include "coll/coll.h"
#include "coll/rooted.h"
#include "comm/call_names.h"
#include "meeting/amount_comparison.h"
#include "meeting/round.h"

#include <mpi.h>

#include <algorithm>

namespace thrum {
namespace {

// Blocking

using Until = Attendance::Until;
constexpr size_t buffered_bytes_max = 8192; // an estimate; coll_bench.cc measures it

// Where the receivers copy from: the scratch buffer, or the root's buffer.
enum Mode { Buffered, Direct };

// The root's part. It chooses the algorithm and publishes its choice. If another rank has claimed
// to be the root, it follows that rank's rounds, so that all members stay in step, and returns the
// dispute.
Error broadcast_from(Communicator &comm, const Block &data, int root) MAY_SUSPEND {
    Attendance attendance(comm, rooted_announcement(comm, Collective::Bcast, 0, root), &data);
    if (!attendance.claim()) { // another rank also claims to be the root
        attendance.wait(Until::Published);
        attendance.dispute(attendance.round().publisher);
        attendance.pass(Until::Nothing);
        if (attendance.round().mode == Direct)
            (void)stay(comm, Collective::Bcast, root, Until::Nothing); // the dispute is reported
        return attendance.verdict();
    }
    Round &round = attendance.round();
    round.size_bytes = data.size_bytes();
    round.mode = round.size_bytes <= buffered_bytes_max ? Buffered : Direct;
    if (round.mode == Buffered && round.size_bytes > 0)
        pack_bytes(data.address, data.count, *data.type, 0, round.size_bytes,
                   round.scratch.at_least(round.size_bytes));
    if (round.mode == Buffered)
        round.type.set(data.type);
    bool direct = round.mode == Direct;
    attendance.publish();
    attendance.pass_as_root();
    // Reads the verdict before the second round, which may reuse this round's record.
    Error error = attendance.verdict();
    if (!direct)
        return error;
    Error second = stay(comm, Collective::Bcast, root, Until::Complete);
    return error ? error : second;
}

// A receiver's part. It follows the root's rounds even if the calls disagree, so that the next
// operation meets all members in the same round.
Error broadcast_to(Communicator &comm, const Block &data, int root) MAY_SUSPEND {
    Attendance attendance(comm, rooted_announcement(comm, Collective::Bcast, 0, root));
    attendance.pass(Until::Published);
    if (!attendance.was_claimed()) {
        Error error = attendance.verdict();
        return error ? error : no_root();
    }
    Round &round = attendance.round();
    uint64_t publisher = round.publisher;
    bool agree = Announcement::agree(publisher, attendance.what());
    if (!agree)
        attendance.dispute(publisher);
    Error error = attendance.verdict();
    size_t sent_bytes = round.size_bytes, room_bytes = data.size_bytes();
    size_t size_bytes = sent_bytes < room_bytes ? sent_bytes : room_bytes;
    bool direct = round.mode == Direct;
    if (agree && room_bytes > 0) {
        const int sender = Announcement::member(publisher);
        Error types;
        if (direct) {
            const Block &from = attendance.argument<Block>(sender);
            types = check_transfer(comm, from, sender, data, member_of(comm));
            copy_block(from, data);
        } else {
            if (size_bytes > 0)
                unpack_bytes(round.scratch.bytes, 0, size_bytes, data.address, data.count,
                             *data.type);
            if (!round.type.surely_matches(*data.type) || sent_bytes < room_bytes) [[unlikely]]
                types = round.type.compare(comm, sent_bytes, sender, data, member_of(comm));
        }
        if (types) [[unlikely]]
            error = error ? error : types;
    }
    if (direct && Announcement::collective(publisher) == Collective::Bcast)
        (void)stay(comm, Collective::Bcast, root, Until::Nothing); // the root sees a dispute in it
    if (!error && sent_bytes > room_bytes)
        error = fail(MPI_ERR_TRUNCATE, "the root sends %zu bytes, but there is room for %zu",
                     sent_bytes, room_bytes);
    return error;
}

// Follows the root's rounds in a member of the root's group of an inter-communicator.
Error stand_by(Communicator &comm) MAY_SUSPEND {
    Attendance attendance(comm, rooted_announcement(comm, Collective::Bcast, 0, 0));
    attendance.pass(Until::Published);
    if (!attendance.was_claimed()) {
        // If every rank of this group has passed MPI_PROC_NULL, nothing is sent.
        return attendance.verdict();
    }
    bool direct = attendance.round().mode == Direct;
    Error error = attendance.verdict();
    if (direct)
        (void)stay(comm, Collective::Bcast, 0, Until::Nothing);
    return error;
}

Error run_bcast(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    const Movement &movement = call.movement;
    if (comm.inter && call.root == MPI_PROC_NULL)
        return stand_by(comm);
    if (!comm.inter && comm.size == 1)
        return success;
    return movement.send ? broadcast_from(comm, movement.send[0], call.root)
                         : broadcast_to(comm, movement.receive[0], call.root);
}

// Non-blocking

// Limits the scratch buffers that some member has yet to read, so that they stay in a core's cache.
constexpr size_t open_bytes_max = 16384;

// Returns the copy between root and peer.
Transfer bcast_transfer(const Movement &root, const Movement &peer, int) {
    return {root.send[0], peer.receive[0]};
}

// Leaves a copy of the root's data in the scratch buffer. Returns false if they are too large, or
// too many such copies are still unread.
bool leave_bcast(CollectiveOperation &operation, const CollectiveRequest &root) {
    const Block block = root.call.movement.send[0];
    operation.scratch_bytes = block.size_bytes();
    const auto open = static_cast<size_t>(
        std::max<int64_t>(0, operation.sequence->open_before(operation.number)));
    if (operation.scratch_bytes > buffered_bytes_max ||
        operation.scratch_bytes * (open + 1) > open_bytes_max)
        return false;
    pack_block(block, operation.scratch.at_least(operation.scratch_bytes));
    operation.scratch_type.set(block.type);
    return true;
}

// Takes a small broadcast, in the receiver's completion call.
void take_bcast(CollectiveRequest &request) {
    const CollectiveOperation &operation = *request.operation;
    const Block to = request.call.movement.receive[0];
    unpack_block(operation.scratch.bytes, operation.scratch_bytes, to);
    check_taken(request, operation.scratch_bytes, to);
    if (operation.scratch_bytes > to.size_bytes()) [[unlikely]]
        set_truncated(request, request.call.root, operation.scratch_bytes, to.size_bytes());
}

// Between node processes

SharedBytes bundle_of(const Participant &root) {
    return Bundle({root.call->movement.send[0]}, code_of_call(root.place)).packet();
}

// Sends the root's block along the tree of processes. A truncation is an error of that member only;
// the others get their data.
Flow bcast_flow(ProcessPart &part) MAY_SUSPEND {
    const Root root = find_root(part);
    if (root.index < 0)
        co_return;
    std::vector<int> list = part.span.sides[root.side].processes;
    if (position_in(list, root.index) < 0)
        list.push_back(root.index);
    SharedBytes packet;
    if (root.local >= 0)
        packet = bundle_of(part.local_root(root.local));
    co_await spread(part, list, position_in(list, root.index), packet);
    for (size_t i = 0; i < part.locals.size(); ++i) {
        const Movement &movement = part.call(i).movement;
        if (static_cast<int>(i) == root.local || !movement.receive)
            continue;
        const Block block = movement.receive[0];
        compare(*part.locals[i], root.rank, Bundle(packet, 1).take(block), block);
    }
}

} // namespace

const RootedForms bcast_forms = {
    {.run = run_bcast,
     .begin = begin_rooted,
     .take = take_bcast,
     .abstain = abstain_from_rooted,
     .flow = bcast_flow},
    {.gathers = false, .transfer = bcast_transfer, .leave_copy = leave_bcast}};

} // namespace thrum
