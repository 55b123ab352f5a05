// MPI_Alltoall(v,w) (section 6.8): all meet, everybody copies what is for it from the others' send
// buffers, all meet again.
#include "coll/coll.h"
#include "coll/packed.h"
#include "coll/round.h"
#include "coll/spanning.h"

namespace thrum {
namespace {

using Until = Visit::Until;

Error exchange(Communicator &comm, const Blocks &send, const Blocks &receive,
               Collective collective) {
    Visit visit(comm, Announcement::make(collective), &send);
    visit.pass(Until::Complete);
    if (Error error = visit.verdict())
        return error;
    Error error;
    for (int i = 0; i < comm.remote_size; ++i) {
        int peer = comm.rank + i;
        if (peer >= comm.remote_size)
            peer %= comm.remote_size;
        int member = member_of(comm, comm.inter ? 1 - comm.side : 0, peer);
        Block from = visit.argument<Blocks>(member)[comm.rank];
        Block to = receive[peer];
        if (!copy_block(from, to)) [[unlikely]]
            error = fail(MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, but there is room for %zu",
                         peer, from.size_bytes(), to.size_bytes());
    }
    Visit second(comm, Announcement::make(collective, 1));
    second.pass(Until::Complete);
    return error ? error : second.verdict();
}

} // namespace

Error alltoall(Communicator &comm, const Blocks *send, const Blocks &receive,
               Collective collective) {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return spanning_collective(comm, {collective, -1, send ? *send : Blocks(), receive});
    if (send)
        return exchange(comm, *send, receive, collective);
    // With MPI_IN_PLACE the data to send are where those received go: a packed copy is sent
    // instead.
    PackedCopy copy(receive, comm.size);
    return exchange(comm, copy.blocks(), receive, collective);
}

} // namespace thrum
