// MPI_Alltoall(v,w) (section 6.8): all meet, everybody copies what is for it from the others' send
// buffers, all meet again.
#include "coll/coll.h"
#include "coll/round.h"

#include <memory>
#include <vector>

namespace thrum {
namespace {

using Until = Visit::Until;

// With MPI_IN_PLACE the data to send are where those received go: a packed copy is sent instead.
struct PackedCopy {
    std::unique_ptr<char[]> bytes;
    std::vector<MPI_Count> offsets;

    PackedCopy(const Blocks &blocks, int count) : offsets(static_cast<size_t>(count) + 1) {
        MPI_Count total_bytes = 0;
        for (int i = 0; i < count; ++i) {
            offsets[static_cast<size_t>(i)] = total_bytes;
            total_bytes += static_cast<MPI_Count>(blocks[i].size_bytes());
        }
        offsets.back() = total_bytes;
        bytes.reset(new char[static_cast<size_t>(total_bytes)]);
        for (int i = 0; i < count; ++i) {
            Block block = blocks[i];
            if (block.size_bytes() > 0)
                pack_bytes(block.address, block.count, *block.type, 0, block.size_bytes(),
                           bytes.get() + offsets[static_cast<size_t>(i)]);
        }
    }
};

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
    if (send)
        return exchange(comm, *send, receive, collective);
    PackedCopy copy(receive, comm.size);
    return exchange(comm, Blocks::of_packed(copy.bytes.get(), copy.offsets.data()), receive,
                    collective);
}

} // namespace thrum
