// Global reductions (MPI 5.0 sections 6.9 to 6.11): their arguments, and the blocking forms.
#include "coll/coll.h"
#include "mpi/calls.h"
#include "mpi/collective_arguments.h"
#include "mpi/collective_calls.h"
#include "mpi/tolerance.h"

namespace thrum::mpi {
namespace {

Error check_in_place(const Communicator &comm, const void *sendbuf, const void *recvbuf) {
    if (recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    return sendbuf == MPI_IN_PLACE && comm.inter
               ? bad_in_place("sendbuf", "in an intra-communicator")
               : success;
}

Reduced reduced_of(const void *sendbuf, void *recvbuf, Count count, Share share = {}) {
    return {sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf, count, share};
}

} // namespace

Error check_reduce(Reduced &reduced, const void *sendbuf, void *recvbuf, Count count,
                   const Datatype &datatype, const Op &op, int root, const Communicator &comm) {
    if (comm.inter && root == MPI_PROC_NULL) // beside the root no argument is significant
        return success;
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
    reduced = reduced_of(sendbuf, is_root ? recvbuf : nullptr, count); // not significant elsewhere
    return success;
}

Error check_allreduce(Reduced &reduced, const void *sendbuf, void *recvbuf, Count count,
                      const Datatype &datatype, const Op &op, const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    reduced = reduced_of(sendbuf, recvbuf, count);
    return success;
}

Error check_reduce_scatter(Reduced &reduced, const void *sendbuf, void *recvbuf,
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
    for (int i = 0; i < comm.size; ++i) {
        if (i == comm.rank)
            share.first = total;
        total += recvcounts[static_cast<size_t>(i)];
    }
    if (!sendbuf || !recvbuf)
        if (Error error = sendbuf ? arg::check_bottom("recvbuf", share.count, datatype)
                                  : arg::check_bottom("sendbuf", total, datatype))
            return error;
    reduced = reduced_of(sendbuf, recvbuf, total, share);
    return success;
}

Error check_reduce_scatter_block(Reduced &reduced, const void *sendbuf, void *recvbuf,
                                 Count recvcount, const Datatype &datatype, const Op &op,
                                 const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    reduced =
        reduced_of(sendbuf, recvbuf, recvcount * comm.size, {recvcount * comm.rank, recvcount});
    return success;
}

Error check_scan(Reduced &reduced, const void *sendbuf, void *recvbuf, Count count,
                 const Datatype &datatype, const Op &op, const Communicator &comm) {
    if (Error error = check_operation(op, datatype))
        return error;
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator, on which no scan is defined");
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    reduced = reduced_of(sendbuf, recvbuf, count);
    return success;
}

Error reduce(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op, int root,
             Communicator &comm) {
    Reduced reduced;
    if (Error error = check_reduce(reduced, sendbuf, recvbuf, count, datatype, op, root, comm))
        return error;
    return thrum::reduce(comm, reduced.vector(datatype, op), root);
}

Error allreduce(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
                Communicator &comm) {
    Reduced reduced;
    if (Error error = check_allreduce(reduced, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return thrum::allreduce(comm, reduced.vector(datatype, op));
}

Error reduce_scatter(const void *sendbuf, void *recvbuf, CountArray recvcounts, Datatype &datatype,
                     Op &op, Communicator &comm) {
    Reduced reduced;
    if (Error error =
            check_reduce_scatter(reduced, sendbuf, recvbuf, recvcounts, datatype, op, comm))
        return error;
    return thrum::reduce_scatter(comm, reduced.vector(datatype, op), reduced.share,
                                 Collective::ReduceScatter);
}

Error reduce_scatter_block(const void *sendbuf, void *recvbuf, Count recvcount, Datatype &datatype,
                           Op &op, Communicator &comm) {
    Reduced reduced;
    if (Error error =
            check_reduce_scatter_block(reduced, sendbuf, recvbuf, recvcount, datatype, op, comm))
        return error;
    return thrum::reduce_scatter(comm, reduced.vector(datatype, op), reduced.share,
                                 Collective::ReduceScatterBlock);
}

Error scan(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
           Communicator &comm) {
    Reduced reduced;
    if (Error error = check_scan(reduced, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return thrum::scan(comm, reduced.vector(datatype, op));
}

Error exscan(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
             Communicator &comm) {
    Reduced reduced;
    if (Error error = check_scan(reduced, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return thrum::exscan(comm, reduced.vector(datatype, op));
}

} // namespace thrum::mpi
