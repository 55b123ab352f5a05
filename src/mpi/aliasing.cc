#include "mpi/aliasing.h"

#include "entry/tolerance.h"

#include <mpi.h>

#include <algorithm>

namespace thrum::mpi {
namespace {

// Returns whether two blocks certainly share memory. Blocks with gaps may fit into each other.
bool overlap(const Block &a, const Block &b) {
    const size_t a_bytes = a.size_bytes(), b_bytes = b.size_bytes();
    return a_bytes > 0 && b_bytes > 0 && a.type->contiguous && b.type->contiguous &&
           a.address < b.address + b_bytes && b.address < a.address + a_bytes;
}

// If there are several blocks on both sides, compares only those of the same rank: to compare each
// with each would take long, and a right program may come here, too.
bool any_overlap(const Movement &movement, BlockCounts counts) {
    for (int i = 0; i < std::max(counts.sent, counts.received); ++i)
        if (overlap(movement.send[counts.sent > 1 ? i : 0],
                    movement.receive[counts.received > 1 ? i : 0]))
            return true;
    return false;
}

Error tolerate_aliasing(const char *in_place, const Communicator &comm) {
    const Error error =
        comm.inter ? fail(MPI_ERR_BUFFER, "sendbuf and recvbuf overlap: pass different buffers")
                   : fail(MPI_ERR_BUFFER, "sendbuf and recvbuf overlap: pass MPI_IN_PLACE as %s",
                          in_place);
    return tolerate(Tolerance::AliasedBuffers, error);
}

} // namespace

Error judge_same_address(const Movement &movement, BlockCounts counts, const Communicator &comm) {
    if (is_tolerated(Tolerance::AliasedBuffers) || !movement.send || !movement.receive ||
        !any_overlap(movement, counts))
        return success;
    return tolerate_aliasing(counts.in_place, comm);
}

// Both buffers have the same datatype: gaps are in the same places.
Error judge_same_address(const Reduction &reduction, Count received, const Communicator &comm) {
    if (is_tolerated(Tolerance::AliasedBuffers) || reduction.mine.size_bytes == 0 || received == 0)
        return success;
    return tolerate_aliasing("sendbuf", comm);
}

} // namespace thrum::mpi
