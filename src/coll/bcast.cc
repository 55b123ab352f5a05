// MPI_Barrier (section 6.3) and MPI_Bcast (section 6.4).
//
// A small broadcast is packed into the round's room, and the root goes on at once; of a large one
// the receivers copy straight from the root's buffer, and the root waits in a second round until
// all have copied. The root says which: the receivers need not know the same size.
#include "coll/coll.h"
#include "coll/round.h"
#include "coll/spanning.h"

namespace thrum {
namespace {

using Until = Visit::Until;
constexpr size_t buffered_bytes_max = 8192; // a first choice; coll_bench.cc measures it

enum Mode { Buffered, Direct };

uint64_t announcement(const Communicator &comm, int phase, int root) {
    // In an inter-communicator the ranks beside the root do not know which it is.
    return Announcement::make(Collective::Bcast, phase, 0, comm.inter ? -1 : root);
}

// The second round of a large broadcast. The root is the one who waits.
Error stay(Communicator &comm, int root, Until until) {
    Visit visit(comm, announcement(comm, 1, root));
    visit.pass(until);
    return visit.verdict();
}

Error broadcast_from(Communicator &comm, const Block &data, int root) {
    Visit visit(comm, announcement(comm, 0, root), &data);
    if (!visit.claim()) { // another rank takes itself for the root as well
        visit.wait(Until::Published);
        visit.dispute(visit.round().publisher);
        visit.pass(Until::Nothing);
        if (visit.round().mode == Direct)
            (void)stay(comm, root, Until::Nothing); // the dispute is reported
        return visit.verdict();
    }
    Round &round = visit.round();
    round.size_bytes = data.size_bytes();
    round.mode = round.size_bytes <= buffered_bytes_max ? Buffered : Direct;
    if (round.mode == Buffered && round.size_bytes > 0)
        pack_bytes(data.address, data.count, *data.type, 0, round.size_bytes,
                   round.room.at_least(round.size_bytes));
    bool direct = round.mode == Direct;
    visit.publish();
    visit.pass(Until::Nothing);
    // Read before the second round: this one's record may be reused after it.
    Error error = visit.verdict();
    if (!direct)
        return error;
    Error second = stay(comm, root, Until::Complete);
    return error ? error : second;
}

Error no_root() {
    return fail(MPI_ERR_ROOT, "root: no rank of the remote group has passed MPI_ROOT");
}

Error broadcast_to(Communicator &comm, const Block &data, int root) {
    Visit visit(comm, announcement(comm, 0, root));
    visit.pass(Until::Published);
    if (!visit.was_claimed()) {
        Error error = visit.verdict();
        return error ? error : no_root();
    }
    Round &round = visit.round();
    uint64_t publisher = round.publisher;
    bool agree = Announcement::agree(publisher, visit.what());
    if (!agree)
        visit.dispute(publisher);
    Error error = visit.verdict();
    size_t sent_bytes = round.size_bytes, room_bytes = data.size_bytes();
    size_t size_bytes = sent_bytes < room_bytes ? sent_bytes : room_bytes;
    bool direct = round.mode == Direct;
    if (agree && size_bytes > 0) {
        if (direct)
            copy_block(visit.argument<Block>(Announcement::member(publisher)), data);
        else
            unpack_bytes(round.room.bytes, 0, size_bytes, data.address, data.count, *data.type);
    }
    if (direct && Announcement::collective(publisher) == Collective::Bcast)
        (void)stay(comm, root, Until::Nothing); // the root sees a dispute in it
    if (!error && sent_bytes > room_bytes)
        error = fail(MPI_ERR_TRUNCATE, "the root sends %zu bytes, but there is room for %zu",
                     sent_bytes, room_bytes);
    return error;
}

// Of the root's group in an inter-communicator, but not the root: must follow its rounds.
Error stand_by(Communicator &comm) {
    Visit visit(comm, announcement(comm, 0, 0));
    visit.pass(Until::Published);
    if (!visit.was_claimed()) {
        // Every rank of this group may have passed MPI_PROC_NULL: nothing is sent then.
        return visit.verdict();
    }
    bool direct = visit.round().mode == Direct;
    Error error = visit.verdict();
    if (direct)
        (void)stay(comm, 0, Until::Nothing);
    return error;
}

} // namespace

Error barrier(Communicator &comm) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, CollectiveCall(Collective::Barrier));
    Visit visit(comm, Announcement::make(Collective::Barrier));
    visit.pass(Until::Complete);
    return visit.verdict();
}

Error broadcast(Communicator &comm, const Block &data, int root) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]] {
        const bool is_root = comm.inter ? root == MPI_ROOT : root == comm.rank;
        const Blocks mine = root == MPI_PROC_NULL ? Blocks() : blocks_of(&data);
        return spanning_collective(
            comm, {Collective::Bcast, root, is_root ? mine : Blocks(), is_root ? Blocks() : mine});
    }
    if (comm.inter) {
        if (root == MPI_ROOT)
            return broadcast_from(comm, data, root);
        return root == MPI_PROC_NULL ? stand_by(comm) : broadcast_to(comm, data, root);
    }
    if (comm.size == 1)
        return success;
    return root == comm.rank ? broadcast_from(comm, data, root) : broadcast_to(comm, data, root);
}

} // namespace thrum
