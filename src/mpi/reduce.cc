// Global reductions (MPI 5.0 sections 6.9 to 6.11).
#include "coll/coll.h"
#include "mpi/calls.h"
#include "mpi/collective_arguments.h"

namespace thrum::mpi {
namespace {

Error check_in_place(const Communicator &comm, const void *sendbuf, const void *recvbuf) {
    if (recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    return sendbuf == MPI_IN_PLACE && comm.inter
               ? bad_in_place("sendbuf", "in an intra-communicator")
               : success;
}

Vector vector_of(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op) {
    return {sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf, count, datatype, op};
}

Error no_scan(const Communicator &comm) {
    return comm.inter
               ? fail(MPI_ERR_COMM, "comm is an inter-communicator, on which no scan is defined")
               : success;
}

} // namespace

Error reduce(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op, int root,
             Communicator &comm) {
    if (Error error = check_op(op, datatype))
        return error;
    bool is_root = comm.inter ? root == MPI_ROOT : root == comm.rank;
    if (sendbuf == MPI_IN_PLACE && (comm.inter ? root >= 0 : !is_root))
        return bad_in_place("sendbuf", "at the root of an intra-communicator");
    if (is_root && recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    void *receive = is_root ? recvbuf : nullptr; // not significant elsewhere
    return thrum::reduce(comm, vector_of(sendbuf, receive, count, datatype, op), root);
}

Error allreduce(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
                Communicator &comm) {
    if (Error error = check_op(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    return thrum::allreduce(comm, vector_of(sendbuf, recvbuf, count, datatype, op));
}

Error reduce_scatter(const void *sendbuf, void *recvbuf, CountArray recvcounts, Datatype &datatype,
                     Op &op, Communicator &comm) {
    if (Error error = check_op(op, datatype))
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
    return thrum::reduce_scatter(comm, vector_of(sendbuf, recvbuf, total, datatype, op), share,
                                 Collective::ReduceScatter);
}

Error reduce_scatter_block(const void *sendbuf, void *recvbuf, Count recvcount, Datatype &datatype,
                           Op &op, Communicator &comm) {
    if (Error error = check_op(op, datatype))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    return thrum::reduce_scatter(
        comm, vector_of(sendbuf, recvbuf, recvcount * comm.size, datatype, op),
        {recvcount * comm.rank, recvcount}, Collective::ReduceScatterBlock);
}

Error scan(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
           Communicator &comm) {
    if (Error error = check_op(op, datatype))
        return error;
    if (Error error = no_scan(comm))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    return thrum::scan(comm, vector_of(sendbuf, recvbuf, count, datatype, op));
}

Error exscan(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
             Communicator &comm) {
    if (Error error = check_op(op, datatype))
        return error;
    if (Error error = no_scan(comm))
        return error;
    if (Error error = check_in_place(comm, sendbuf, recvbuf))
        return error;
    return thrum::exscan(comm, vector_of(sendbuf, recvbuf, count, datatype, op));
}

} // namespace thrum::mpi
