// The non-blocking (MPI 5.0 section 6.12) and the persistent (section 6.13) collective operations:
// a table with a row for each operation, of which both forms are made. MPI_Iname begins the call at
// once; MPI_Name_init keeps it for MPI_Start (pt2pt/persistent.h), and waits for nobody. Arguments
// are checked where those of the blocking forms are: coll.cc, reduce.cc. No hint of `info` is
// known.
#include "coll/begin_collective.h"
#include "mpi/calls.h"
#include "mpi/collective_calls.h"

namespace thrum::mpi {

// A row of the table: `parameters` are what both forms have in common, `fill` says what is wrong
// with them, or writes them to the call of the request, `made`.
#define LIST(...) __VA_ARGS__
#define BOTH_FORMS(name, collective, root, parameters, fill)                                       \
    Error i##name(LIST parameters, Communicator &comm, MPI_Request *request) {                     \
        NewCollective made(                                                                        \
            new CollectiveRequest(comm, Collective::collective, root, NonblockingForm));           \
        fill;                                                                                      \
        begin_collective(*made.release(), request);                                                \
        return success;                                                                            \
    }                                                                                              \
    Error name##_init(LIST parameters, Communicator &comm, Info *, MPI_Request *request) {         \
        NewCollective made(                                                                        \
            new CollectiveRequest(comm, Collective::collective, root, PersistentForm));            \
        fill;                                                                                      \
        return initialize_collective(std::move(made), request);                                    \
    }
#define MOVEMENT(name, collective, root, parameters, arguments)                                    \
    BOTH_FORMS(                                                                                    \
        name, collective, root, parameters,                                                        \
        if (Error error = check_##name(made->call.movement, LIST arguments, comm)) return error)
#define REDUCTION(name, collective, root, check, parameters, arguments)                            \
    BOTH_FORMS(name, collective, root, parameters, Reduced reduced;                                \
               if (Error error = check(reduced, LIST arguments, comm)) return error;               \
               made->call.reduction = reduced.reduction(datatype, op))

// What several rows have in common.
#define NO_ROOT (-1)
#define SEND const void *sendbuf, Count sendcount, Datatype *sendtype
#define SEND_VARYING                                                                               \
    const void *sendbuf, CountArray sendcounts, CountArray sdispls, Datatype *sendtype
#define SEND_GENERAL                                                                               \
    const void *sendbuf, CountArray sendcounts, CountArray sdispls, const MPI_Datatype sendtypes[]
#define RECEIVE void *recvbuf, Count recvcount, Datatype *recvtype
#define RECEIVE_VARYING void *recvbuf, CountArray recvcounts, CountArray displs, Datatype *recvtype
#define RECEIVE_GENERAL                                                                            \
    void *recvbuf, CountArray recvcounts, CountArray displs, const MPI_Datatype recvtypes[]
#define VECTOR const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op

Error ibarrier(Communicator &comm, MPI_Request *request) {
    begin_collective_here(
        *new CollectiveRequest(comm, Collective::Barrier, NO_ROOT, NonblockingForm), request);
    return success;
}

Error barrier_init(Communicator &comm, Info *, MPI_Request *request) {
    return initialize_collective(
        NewCollective(new CollectiveRequest(comm, Collective::Barrier, NO_ROOT, PersistentForm)),
        request);
}

MOVEMENT(bcast, Bcast, root, (void *buffer, Count count, Datatype &datatype, int root),
         (buffer, count, datatype, root))
MOVEMENT(gather, Gather, root, (SEND, RECEIVE, int root),
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root))
MOVEMENT(gatherv, Gatherv, root, (SEND, RECEIVE_VARYING, int root),
         (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root))
MOVEMENT(scatter, Scatter, root, (SEND, RECEIVE, int root),
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root))
MOVEMENT(scatterv, Scatterv, root, (SEND_VARYING, RECEIVE, int root),
         (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcount, recvtype, root))
MOVEMENT(allgather, Allgather, NO_ROOT, (SEND, RECEIVE),
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))
MOVEMENT(allgatherv, Allgatherv, NO_ROOT, (SEND, RECEIVE_VARYING),
         (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype))
MOVEMENT(alltoall, Alltoall, NO_ROOT, (SEND, RECEIVE),
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))
MOVEMENT(alltoallv, Alltoallv, NO_ROOT, (SEND_VARYING, RECEIVE_VARYING),
         (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, displs, recvtype))
MOVEMENT(alltoallw, Alltoallw, NO_ROOT, (SEND_GENERAL, RECEIVE_GENERAL),
         (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, displs, recvtypes))

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
REDUCTION(exscan, Exscan, NO_ROOT, check_scan, (VECTOR), (sendbuf, recvbuf, count, datatype, op))

} // namespace thrum::mpi
