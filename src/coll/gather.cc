// MPI_Gather(v) (section 6.5) and MPI_Scatter(v) (section 6.6).
//
// Gather: the last to arrive copies small blocks for everybody, and the operation is over; else
// each rank copies its own block straight into the root's buffer, and the root waits in a second
// round. Scatter: small blocks are packed into the round's room, and the root goes on at once; else
// each rank copies its own block from the root's buffer, and the root waits in a second round.
#include "coll/coll.h"
#include "coll/packed.h"
#include "coll/round.h"
#include "coll/spanning.h"

namespace thrum {
namespace {

using Until = Visit::Until;
constexpr size_t small_bytes_max = 32768; // of all blocks together

enum Mode { Done, Direct };

// The ranks that send to, or receive from, a root.
struct Peers {
    int first_member;
    int count;
};

// Those of the root at member `root_member`.
Peers peers_of(const Communicator &comm, int root_member) {
    if (!comm.inter)
        return {0, comm.size};
    int side_size[2];
    side_size[comm.side] = comm.size;
    side_size[1 - comm.side] = comm.remote_size;
    bool root_on_side_0 = root_member < side_size[0];
    return root_on_side_0 ? Peers{side_size[0], side_size[1]} : Peers{0, side_size[0]};
}

uint64_t announcement(const Communicator &comm, Collective collective, int phase, int root) {
    return Announcement::make(collective, phase, 0, comm.inter ? -1 : root);
}

Error truncated(int rank) {
    return fail(MPI_ERR_TRUNCATE, "rank %d sends more than the root has room for", rank);
}

// Second round of the direct forms. Of a gather's, `truncated` says whether this rank found that
// its block does not fit.
Error finish_direct(Communicator &comm, Collective collective, int root, bool is_root,
                    bool does_not_fit) {
    Visit visit(comm, announcement(comm, collective, 1, root));
    if (does_not_fit)
        visit.round().truncated.store(visit.member(), std::memory_order_relaxed);
    visit.pass(is_root ? Until::Complete : Until::Nothing);
    int member = is_root ? visit.round().truncated.load(std::memory_order_relaxed) : -1;
    if (member >= 0)
        return truncated(member - peers_of(comm, visit.member()).first_member);
    return is_root ? visit.verdict() : success;
}

struct GatherArgument {
    const Block *send;
    const Blocks *receive;
};

// The member that receives, or -1. Everybody has arrived.
int find_root(const Visit &visit, const Communicator &comm, int root) {
    if (!comm.inter)
        return root;
    for (int member = 0; member < visit.meeting().members; ++member)
        if (visit.argument<GatherArgument>(member).receive)
            return member;
    return -1;
}

// Done by the last to arrive: copies everything if it is little, else leaves it to everybody.
void gather_small(Visit &visit, const Communicator &comm, int root_member) {
    Round &round = visit.round();
    round.mode = Done;
    if (root_member < 0)
        return;
    const Blocks &receive = *visit.argument<GatherArgument>(root_member).receive;
    Peers peers = peers_of(comm, root_member);
    size_t total_bytes = 0;
    for (int i = 0; i < peers.count && total_bytes <= small_bytes_max; ++i)
        if (const Block *send = visit.argument<GatherArgument>(peers.first_member + i).send)
            total_bytes += send->size_bytes();
    if (total_bytes > small_bytes_max) {
        round.mode = Direct;
        return;
    }
    for (int i = 0; i < peers.count; ++i) {
        const Block *send = visit.argument<GatherArgument>(peers.first_member + i).send;
        if (send && !copy_block(*send, receive[i]))
            round.truncated.store(peers.first_member + i, std::memory_order_relaxed);
    }
}

struct ScatterArgument {
    const Blocks *send;
};

Error scatter_from(Communicator &comm, const Blocks &send, int root, Collective collective) {
    ScatterArgument argument{&send};
    Visit visit(comm, announcement(comm, collective, 0, root), &argument);
    if (!visit.claim()) {
        visit.wait(Until::Published);
        visit.dispute(visit.round().publisher);
        visit.pass(Until::Nothing);
        if (visit.round().mode == Direct)
            (void)finish_direct(comm, collective, root, false, false);
        return visit.verdict();
    }
    Round &round = visit.round();
    Peers peers = peers_of(comm, visit.member());
    size_t total_bytes = 0;
    for (int i = 0; i < peers.count; ++i)
        total_bytes += send[i].size_bytes();
    bool direct = total_bytes > small_bytes_max;
    round.mode = direct ? Direct : Done;
    if (!direct) {
        pack_scatter(send, peers.count,
                     round.room.at_least(scatter_room_bytes(peers.count, total_bytes)));
    }
    visit.publish();
    visit.pass(Until::Nothing);
    Error error = visit.verdict();
    if (!direct)
        return error;
    Error second = finish_direct(comm, collective, root, true, false);
    return error ? error : second;
}

// `receive` is a null pointer at ranks that follow only.
Error scatter_to(Communicator &comm, const Block *receive, int root, Collective collective) {
    Visit visit(comm, announcement(comm, collective, 0, root));
    visit.pass(Until::Published);
    Error error = visit.verdict();
    if (!visit.was_claimed())
        return error || !receive
                   ? error
                   : fail(MPI_ERR_ROOT, "root: no rank of the remote group has passed MPI_ROOT");
    Round &round = visit.round();
    uint64_t publisher = round.publisher;
    if (!Announcement::agree(publisher, visit.what())) {
        visit.dispute(publisher);
        error = visit.verdict();
        receive = nullptr;
    }
    bool direct = round.mode == Direct;
    size_t sent_bytes = 0, room_bytes = 0;
    if (receive) {
        room_bytes = receive->size_bytes();
        if (direct) {
            int root_member = Announcement::member(publisher);
            Block block = (*visit.argument<ScatterArgument>(root_member).send)[comm.rank];
            sent_bytes = block.size_bytes();
            copy_block(block, *receive);
        } else {
            sent_bytes = scattered_bytes(round.room.bytes, comm.rank);
            unpack_block(scattered_block(round.room.bytes, comm.rank), sent_bytes, *receive);
        }
    }
    if (direct && Announcement::collective(publisher) == collective)
        (void)finish_direct(comm, collective, root, false, false);
    if (!error && sent_bytes > room_bytes)
        error =
            fail(MPI_ERR_TRUNCATE, "the root sends %zu bytes to rank %d, which has room for %zu",
                 sent_bytes, comm.rank, room_bytes);
    return error;
}

} // namespace

Error gather(Communicator &comm, const Block *send, const Blocks *receive, int root,
             Collective collective) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(
            comm, {collective, root, blocks_of(send), receive ? *receive : Blocks()});
    GatherArgument argument{send, receive};
    Visit visit(comm, announcement(comm, collective, 0, root), &argument);
    visit.pass_with([&] { gather_small(visit, comm, find_root(visit, comm, root)); });
    if (Error error = visit.verdict())
        return error;
    Round &round = visit.round();
    if (round.mode == Done) {
        int member = round.truncated.load(std::memory_order_relaxed);
        if (member < 0 || (!receive && member != visit.member()))
            return success;
        return truncated(receive ? member - peers_of(comm, visit.member()).first_member
                                 : comm.rank);
    }
    bool fits = true;
    if (send) {
        int root_member = find_root(visit, comm, root);
        fits = copy_block(*send, (*visit.argument<GatherArgument>(root_member).receive)[comm.rank]);
    }
    Error error = finish_direct(comm, collective, root, receive != nullptr, !fits);
    return fits || error ? error : truncated(comm.rank);
}

Error scatter(Communicator &comm, const Blocks *send, const Block *receive, int root,
              Collective collective) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm,
                                   {collective, root, send ? *send : Blocks(), blocks_of(receive)});
    if (!send)
        return scatter_to(comm, receive, root, collective);
    Error error = scatter_from(comm, *send, root, collective);
    if (error || !receive || comm.inter)
        return error;
    return copy_block((*send)[comm.rank], *receive)
               ? success
               : fail(MPI_ERR_TRUNCATE, "the root sends %zu bytes to itself, but has room for %zu",
                      (*send)[comm.rank].size_bytes(), receive->size_bytes());
}

} // namespace thrum
