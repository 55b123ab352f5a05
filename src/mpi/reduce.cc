// Global reductions (MPI 5.0 sections 6.9 to 6.11): checks of their arguments. Each check_x() fills
// in a Reduction; the table at the end makes the blocking, non-blocking and persistent functions
// from it (collective_calls.h).
#include "entry/tolerance.h"
#include "mpi/aliasing.h"
#include "mpi/collective_calls.h"

namespace thrum::mpi {
namespace {

// Checks the use of MPI_IN_PLACE where all ranks get a result.
Error check_in_place(const Communicator &comm, const void *sendbuf, const void *recvbuf) {
    if (recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    return sendbuf == MPI_IN_PLACE && comm.inter
               ? bad_in_place("sendbuf", "in an intra-communicator")
               : success;
}

// Returns the contribution of this rank: with MPI_IN_PLACE it is in the receive buffer.
const void *sent(const void *sendbuf, const void *recvbuf) {
    return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
}

// Only the root has a receive buffer. In an inter-communicator the root's group passes MPI_ROOT or
// MPI_PROC_NULL, and contributes nothing.
Error check_reduce(Reduction &reduction, const void *sendbuf, void *recvbuf, Count count,
                   const Datatype &datatype, const Op &op, int root, const Communicator &comm) {
    // in the root's group only the root's arguments are significant
    if (comm.inter && root == MPI_PROC_NULL) {
        reduction = reduction_of(nullptr, nullptr, 0, datatype, op);
        return success;
    }
    if (Error error = check_operation(op, datatype))
        return error;
    bool is_root = comm.inter ? root == MPI_ROOT : root == comm.rank;
    if (sendbuf == MPI_IN_PLACE && (comm.inter ? root >= 0 : !is_root))
        return bad_in_place("sendbuf", "at the root of an intra-communicator");
    if (is_root && recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    if (is_root && !recvbuf)
        if (Error error = arg::check_bottom("recvbuf", count, datatype))
            return error;
    reduction =
        reduction_of(sent(sendbuf, recvbuf), is_root ? recvbuf : nullptr, count, datatype, op);
    return check_aliasing(sendbuf, recvbuf, reduction, is_root && !comm.inter ? count : 0, comm);
}

// All ranks contribute and receive the whole vector.
Error check_allreduce(Reduction &reduction, const void *sendbuf, void *recvbuf, Count count,
                      const Datatype &datatype, const Op &op, const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    reduction = reduction_of(sent(sendbuf, recvbuf), recvbuf, count, datatype, op);
    return check_aliasing(sendbuf, recvbuf, reduction, count, comm);
}

// The vector is as long as all shares together, and this rank's share begins where those of lower
// ranks end. `recvcounts` must be the same at all ranks, which coll/ compares.
Error check_reduce_scatter(Reduction &reduction, const void *sendbuf, void *recvbuf,
                           CountArray recvcounts, const Datatype &datatype, const Op &op,
                           const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    if (Error error = check_counts("recvcounts", recvcounts, "recvcounts", recvcounts, comm.size))
        return error;
    Share share{0, recvcounts[static_cast<size_t>(comm.rank)]};
    Count total = 0;
    uint64_t hash = 0;
    for (int i = 0; i < comm.size; ++i) {
        if (i == comm.rank)
            share.first = total;
        const Count count = recvcounts[static_cast<size_t>(i)];
        total += count;
        hash = (hash + static_cast<uint64_t>(count)) * 0x9e3779b97f4a7c15u;
    }
    // An announcement has room for 24 bits. The highest tells it from a root: no rank is so large.
    share.hash = 1 << 23 | static_cast<int>(hash >> 42);
    if (!sendbuf || !recvbuf)
        if (Error error = sendbuf ? arg::check_bottom("recvbuf", share.count, datatype)
                                  : arg::check_bottom("sendbuf", total, datatype))
            return error;
    reduction = reduction_of(sent(sendbuf, recvbuf), recvbuf, total, datatype, op, share);
    return check_aliasing(sendbuf, recvbuf, reduction, share.count, comm);
}

// All shares are equal: rank i gets elements [i * recvcount, (i + 1) * recvcount).
Error check_reduce_scatter_block(Reduction &reduction, const void *sendbuf, void *recvbuf,
                                 Count recvcount, const Datatype &datatype, const Op &op,
                                 const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    reduction = reduction_of(sent(sendbuf, recvbuf), recvbuf, recvcount * comm.size, datatype, op,
                             {recvcount * comm.rank, recvcount});
    return check_aliasing(sendbuf, recvbuf, reduction, recvcount, comm);
}

// Checks MPI_Scan and MPI_Exscan. The latter's arguments are the same, but rank 0 receives nothing.
Error check_any_scan(Reduction &reduction, const void *sendbuf, void *recvbuf, Count count,
                     const Datatype &datatype, const Op &op, const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (comm.inter)
        return fail(
            MPI_ERR_COMM,
            "comm is an inter-communicator, but scans are defined only on intra-communicators");
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    reduction = reduction_of(sent(sendbuf, recvbuf), recvbuf, count, datatype, op);
    return success;
}

Error check_scan(Reduction &reduction, const void *sendbuf, void *recvbuf, Count count,
                 const Datatype &datatype, const Op &op, const Communicator &comm) {
    if (Error error = check_any_scan(reduction, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, reduction, count, comm);
}

Error check_exscan(Reduction &reduction, const void *sendbuf, void *recvbuf, Count count,
                   const Datatype &datatype, const Op &op, const Communicator &comm) {
    if (Error error = check_any_scan(reduction, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, reduction, comm.rank > 0 ? count : 0, comm);
}

} // namespace

#define REDUCTION(name, collective, root, check, parameters, arguments)                            \
    ALL_FORMS(name, collective, root, parameters,                                                  \
              if (Error error = check(call.reduction, LIST arguments, comm)) return error)
#define VECTOR const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op

REDUCTION(reduce, Reduce, root, check_reduce, (VECTOR, int root),
          (sendbuf, recvbuf, count, datatype, op, root))
REDUCTION(allreduce, Allreduce, NO_ROOT, check_allreduce, (VECTOR),
          (sendbuf, recvbuf, count, datatype, op))
REDUCTION(reduce_scatter, ReduceScatter, NO_ROOT, check_reduce_scatter,
          (const void *sendbuf, void *recvbuf, CountArray recvcounts, Datatype &datatype, Op &op),
          (sendbuf, recvbuf, recvcounts, datatype, op))
REDUCTION(reduce_scatter_block, ReduceScatterBlock, NO_ROOT, check_reduce_scatter_block,
          (const void *sendbuf, void *recvbuf, Count recvcount, Datatype &datatype, Op &op),
          (sendbuf, recvbuf, recvcount, datatype, op))
REDUCTION(scan, Scan, NO_ROOT, check_scan, (VECTOR), (sendbuf, recvbuf, count, datatype, op))
REDUCTION(exscan, Exscan, NO_ROOT, check_exscan, (VECTOR), (sendbuf, recvbuf, count, datatype, op))

} // namespace thrum::mpi
