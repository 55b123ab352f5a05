// Non-blocking collective operations (MPI 5.0 section 6.12). Their arguments are checked where
// those of the blocking forms are: coll.cc, reduce.cc.
#include "coll/collective_request.h"
#include "mpi/calls.h"
#include "mpi/collective_calls.h"

namespace thrum::mpi {

Error ibarrier(Communicator &comm, MPI_Request *request) {
    return begin_collective(comm, CollectiveCall(Collective::Barrier), request);
}

Error ibcast(void *buffer, Count count, Datatype &datatype, int root, Communicator &comm,
             MPI_Request *request) {
    Movement movement;
    if (Error error = check_bcast(movement, buffer, count, datatype, root, comm))
        return error;
    return begin_collective(comm, {Collective::Bcast, root, movement.send, movement.receive},
                            request);
}

Error igather(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
              Count recvcount, Datatype *recvtype, int root, Communicator &comm,
              MPI_Request *request) {
    Movement movement;
    if (Error error = check_gather(movement, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                   recvtype, root, comm))
        return error;
    return begin_collective(comm, {Collective::Gather, root, movement.send, movement.receive},
                            request);
}

Error igatherv(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
               CountArray recvcounts, CountArray displs, Datatype *recvtype, int root,
               Communicator &comm, MPI_Request *request) {
    Movement movement;
    if (Error error = check_gatherv(movement, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                    displs, recvtype, root, comm))
        return error;
    return begin_collective(comm, {Collective::Gatherv, root, movement.send, movement.receive},
                            request);
}

Error iscatter(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
               Count recvcount, Datatype *recvtype, int root, Communicator &comm,
               MPI_Request *request) {
    Movement movement;
    if (Error error = check_scatter(movement, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                    recvtype, root, comm))
        return error;
    return begin_collective(comm, {Collective::Scatter, root, movement.send, movement.receive},
                            request);
}

Error iscatterv(const void *sendbuf, CountArray sendcounts, CountArray displs, Datatype *sendtype,
                void *recvbuf, Count recvcount, Datatype *recvtype, int root, Communicator &comm,
                MPI_Request *request) {
    Movement movement;
    if (Error error = check_scatterv(movement, sendbuf, sendcounts, displs, sendtype, recvbuf,
                                     recvcount, recvtype, root, comm))
        return error;
    return begin_collective(comm, {Collective::Scatterv, root, movement.send, movement.receive},
                            request);
}

Error iallgather(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
                 Count recvcount, Datatype *recvtype, Communicator &comm, MPI_Request *request) {
    Movement movement;
    if (Error error = check_allgather(movement, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                      recvtype, comm))
        return error;
    return begin_collective(comm, {Collective::Allgather, -1, movement.send, movement.receive},
                            request);
}

Error iallgatherv(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
                  CountArray recvcounts, CountArray displs, Datatype *recvtype, Communicator &comm,
                  MPI_Request *request) {
    Movement movement;
    if (Error error = check_allgatherv(movement, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                       displs, recvtype, comm))
        return error;
    return begin_collective(comm, {Collective::Allgatherv, -1, movement.send, movement.receive},
                            request);
}

Error ialltoall(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
                Count recvcount, Datatype *recvtype, Communicator &comm, MPI_Request *request) {
    Movement movement;
    if (Error error = check_alltoall(movement, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                     recvtype, comm))
        return error;
    return begin_collective(comm, {Collective::Alltoall, -1, movement.send, movement.receive},
                            request);
}

Error ialltoallv(const void *sendbuf, CountArray sendcounts, CountArray sdispls, Datatype *sendtype,
                 void *recvbuf, CountArray recvcounts, CountArray rdispls, Datatype *recvtype,
                 Communicator &comm, MPI_Request *request) {
    Movement movement;
    if (Error error = check_alltoallv(movement, sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                      recvcounts, rdispls, recvtype, comm))
        return error;
    return begin_collective(comm, {Collective::Alltoallv, -1, movement.send, movement.receive},
                            request);
}

Error ialltoallw(const void *sendbuf, CountArray sendcounts, CountArray sdispls,
                 const MPI_Datatype sendtypes[], void *recvbuf, CountArray recvcounts,
                 CountArray rdispls, const MPI_Datatype recvtypes[], Communicator &comm,
                 MPI_Request *request) {
    Movement movement;
    if (Error error = check_alltoallw(movement, sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                      recvcounts, rdispls, recvtypes, comm))
        return error;
    return begin_collective(comm, {Collective::Alltoallw, -1, movement.send, movement.receive},
                            request);
}

Error ireduce(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op, int root,
              Communicator &comm, MPI_Request *request) {
    Reduced reduced;
    if (Error error = check_reduce(reduced, sendbuf, recvbuf, count, datatype, op, root, comm))
        return error;
    return begin_collective(comm, {Collective::Reduce, root, reduced.vector(datatype, op)},
                            request);
}

Error iallreduce(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
                 Communicator &comm, MPI_Request *request) {
    Reduced reduced;
    if (Error error = check_allreduce(reduced, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return begin_collective(comm, {Collective::Allreduce, -1, reduced.vector(datatype, op)},
                            request);
}

Error ireduce_scatter(const void *sendbuf, void *recvbuf, CountArray recvcounts, Datatype &datatype,
                      Op &op, Communicator &comm, MPI_Request *request) {
    Reduced reduced;
    if (Error error =
            check_reduce_scatter(reduced, sendbuf, recvbuf, recvcounts, datatype, op, comm))
        return error;
    return begin_collective(
        comm, {Collective::ReduceScatter, -1, reduced.vector(datatype, op), reduced.share},
        request);
}

Error ireduce_scatter_block(const void *sendbuf, void *recvbuf, Count recvcount, Datatype &datatype,
                            Op &op, Communicator &comm, MPI_Request *request) {
    Reduced reduced;
    if (Error error =
            check_reduce_scatter_block(reduced, sendbuf, recvbuf, recvcount, datatype, op, comm))
        return error;
    return begin_collective(
        comm, {Collective::ReduceScatterBlock, -1, reduced.vector(datatype, op), reduced.share},
        request);
}

Error iscan(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
            Communicator &comm, MPI_Request *request) {
    Reduced reduced;
    if (Error error = check_scan(reduced, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return begin_collective(comm, {Collective::Scan, -1, reduced.vector(datatype, op)}, request);
}

Error iexscan(const void *sendbuf, void *recvbuf, Count count, Datatype &datatype, Op &op,
              Communicator &comm, MPI_Request *request) {
    Reduced reduced;
    if (Error error = check_scan(reduced, sendbuf, recvbuf, count, datatype, op, comm))
        return error;
    return begin_collective(comm, {Collective::Exscan, -1, reduced.vector(datatype, op)}, request);
}

} // namespace thrum::mpi
