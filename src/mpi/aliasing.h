// Send and receive buffers of one collective call that are the same memory, which the standard
// forbids (MPI 5.0 section 2.3), except by MPI_IN_PLACE. Only buffers that begin at one
// address are examined, and only those that certainly overlap are reported: a tolerated use
// (entry/tolerance.h).
#pragma once
#include "meeting/collective_call.h"

namespace thrum::mpi {

// An operation that moves data, for the check: how many blocks this rank sends and receives, and
// which argument may be MPI_IN_PLACE.
struct BlockCounts {
    int sent, received;
    const char *in_place = "sendbuf";
};

// Examine buffers that begin at one address. Of a reduction's result this rank receives `received`
// elements.
[[gnu::cold, gnu::noinline]] Error judge_same_address(const Movement &movement, BlockCounts counts,
                                                      const Communicator &comm);
[[gnu::cold, gnu::noinline]] Error judge_same_address(const Reduction &reduction, Count received,
                                                      const Communicator &comm);

// Checks the arguments of any collective operation. A null pointer is MPI_BOTTOM, or no buffer.
template <class Arguments, class Counts>
inline Error check_aliasing(const void *sendbuf, const void *recvbuf, const Arguments &arguments,
                            Counts counts, const Communicator &comm) {
    return sendbuf != recvbuf || !sendbuf ? success : judge_same_address(arguments, counts, comm);
}

} // namespace thrum::mpi
