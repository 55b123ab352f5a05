// The checks of the collective operations' arguments, one for all forms: blocking, non-blocking,
// persistent. Each takes what MPI_X takes, says what one rank alone can see to be wrong with it,
// and else fills in what this rank sends and receives (coll/collective_call.h).
#pragma once
#include "coll/collective_call.h"
#include "datatype/count_array.h"

namespace thrum::mpi {

Error check_bcast(Movement &movement, void *buffer, Count count, Datatype &datatype, int root,
                  const Communicator &comm);

Error check_gather(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                   void *recvbuf, Count recvcount, Datatype *recvtype, int root,
                   const Communicator &comm);
Error check_gatherv(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                    void *recvbuf, CountArray recvcounts, CountArray displs, Datatype *recvtype,
                    int root, const Communicator &comm);
Error check_scatter(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                    void *recvbuf, Count recvcount, Datatype *recvtype, int root,
                    const Communicator &comm);
Error check_scatterv(Movement &movement, const void *sendbuf, CountArray sendcounts,
                     CountArray displs, Datatype *sendtype, void *recvbuf, Count recvcount,
                     Datatype *recvtype, int root, const Communicator &comm);

Error check_allgather(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                      void *recvbuf, Count recvcount, Datatype *recvtype, const Communicator &comm);
Error check_allgatherv(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                       void *recvbuf, CountArray recvcounts, CountArray displs, Datatype *recvtype,
                       const Communicator &comm);

Error check_alltoall(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                     void *recvbuf, Count recvcount, Datatype *recvtype, const Communicator &comm);
Error check_alltoallv(Movement &movement, const void *sendbuf, CountArray sendcounts,
                      CountArray sdispls, Datatype *sendtype, void *recvbuf, CountArray recvcounts,
                      CountArray rdispls, Datatype *recvtype, const Communicator &comm);
Error check_alltoallw(Movement &movement, const void *sendbuf, CountArray sendcounts,
                      CountArray sdispls, const MPI_Datatype sendtypes[], void *recvbuf,
                      CountArray recvcounts, CountArray rdispls, const MPI_Datatype recvtypes[],
                      const Communicator &comm);

// What a rank contributes to a reduction; its share of the result, for MPI_Reduce_scatter(_block).
struct Reduced {
    const void *send = nullptr;
    void *receive = nullptr;
    Count count = 0;
    Share share{};

    Vector vector(Datatype &datatype, const Op &op) const {
        return {send, receive, count, datatype, op};
    }

    Reduction reduction(Datatype &datatype, const Op &op) const {
        return {contribution(vector(datatype, op)), &op, share};
    }
};

Error check_reduce(Reduced &reduced, const void *sendbuf, void *recvbuf, Count count,
                   const Datatype &datatype, const Op &op, int root, const Communicator &comm);
Error check_allreduce(Reduced &reduced, const void *sendbuf, void *recvbuf, Count count,
                      const Datatype &datatype, const Op &op, const Communicator &comm);
Error check_reduce_scatter(Reduced &reduced, const void *sendbuf, void *recvbuf,
                           CountArray recvcounts, const Datatype &datatype, const Op &op,
                           const Communicator &comm);
Error check_reduce_scatter_block(Reduced &reduced, const void *sendbuf, void *recvbuf,
                                 Count recvcount, const Datatype &datatype, const Op &op,
                                 const Communicator &comm);
// MPI_Scan and MPI_Exscan.
Error check_scan(Reduced &reduced, const void *sendbuf, void *recvbuf, Count count,
                 const Datatype &datatype, const Op &op, const Communicator &comm);

} // namespace thrum::mpi
