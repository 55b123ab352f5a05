// MPI_Allgather(v) (section 6.7): the last to arrive packs small contributions into the round's
// room, from where everybody unpacks; large ones are copied straight from their send buffers, and
// all meet once more before they go on.
#include "coll/coll.h"
#include "coll/packed.h"
#include "coll/round.h"
#include "coll/spanning.h"

namespace thrum {
namespace {

using Until = Visit::Until;
constexpr size_t packed_bytes_max = 32768; // of all contributions together

enum Mode { Packed, Direct };

void pack_small(Visit &visit, int count) {
    Round &round = visit.round();
    size_t total_bytes = 0;
    for (int i = 0; i < count && total_bytes <= packed_bytes_max; ++i)
        total_bytes += visit.argument<Block>(i).size_bytes();
    round.mode = total_bytes <= packed_bytes_max ? Packed : Direct;
    if (round.mode == Direct)
        return;
    round.size_bytes = total_bytes;
    char *to = round.room.at_least(total_bytes);
    for (int i = 0; i < count; ++i)
        to += pack_block(visit.argument<Block>(i), to);
}

} // namespace

Error allgather(Communicator &comm, const Block *send, const Blocks &receive,
                Collective collective) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {collective, -1, blocks_of(send), receive});
    Block mine = send ? *send : receive[comm.rank];
    Visit visit(comm, Announcement::make(collective), &mine);
    if (comm.inter)
        visit.pass(Until::Complete);
    else
        visit.pass_with([&] { pack_small(visit, comm.size); });
    if (Error error = visit.verdict())
        return error;
    if (!comm.inter && visit.round().mode == Packed)
        return unpack_allgather(visit.round().room.bytes, visit.round().size_bytes, receive,
                                comm.size);

    Error error;
    for (int i = 0; i < comm.remote_size; ++i) {
        // Everybody starts at another rank, so that the cores do not read the same block at once.
        int peer = (comm.rank + i) % comm.remote_size;
        if (!send && peer == comm.rank)
            continue;
        int member = member_of(comm, comm.inter ? 1 - comm.side : 0, peer);
        const Block &from = visit.argument<Block>(member);
        Block to = receive[peer];
        if (!copy_block(from, to))
            error = fail(MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, but there is room for %zu",
                         peer, from.size_bytes(), to.size_bytes());
    }
    Visit second(comm, Announcement::make(collective, 1));
    second.pass(Until::Complete);
    return error ? error : second.verdict();
}

} // namespace thrum
