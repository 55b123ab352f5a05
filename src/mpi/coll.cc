// Collective operations (MPI 5.0 chapter 6) that move data, and the barrier: which arguments are
// significant at which rank, MPI_IN_PLACE, and errors that one rank can see alone. Reductions:
// reduce.cc.
#include "coll/coll.h"

#include "mpi/calls.h"
#include "mpi/collective_arguments.h"

namespace thrum::mpi {
namespace {

// The role of the calling rank in an operation with a root (section 6.2.3).
struct Role {
    bool root;   // receives of, or sends to, all
    bool member; // sends to, or receives of, the root
};

Role role_of(const Communicator &comm, int root) {
    if (!comm.inter)
        return {root == comm.rank, true};
    return {root == MPI_ROOT, root >= 0};
}

// The part of MPI_Gather and MPI_Gatherv that they share: what this rank sends.
Error gather_to(Communicator &comm, Role role, const void *sendbuf, Count sendcount,
                Datatype *sendtype, const Blocks *receive, int root, Collective collective) {
    bool in_place = sendbuf == MPI_IN_PLACE;
    if (in_place && role.member && (!role.root || comm.inter))
        return bad_in_place("sendbuf", "at the root of an intra-communicator");
    if (in_place || !role.member)
        return gather(comm, nullptr, receive, root, collective);
    if (Error error = check_block("send", sendcount, sendtype))
        return error;
    Block send = block_at(sendbuf, sendcount, *sendtype);
    return gather(comm, &send, receive, root, collective);
}

Error scatter_from(Communicator &comm, Role role, const Blocks *send, void *recvbuf,
                   Count recvcount, Datatype *recvtype, int root, Collective collective) {
    bool in_place = recvbuf == MPI_IN_PLACE;
    if (in_place && role.member && (!role.root || comm.inter))
        return bad_in_place("recvbuf", "at the root of an intra-communicator");
    if (in_place || !role.member)
        return scatter(comm, send, nullptr, root, collective);
    if (Error error = check_block("recv", recvcount, recvtype))
        return error;
    Block receive = block_at(recvbuf, recvcount, *recvtype);
    return scatter(comm, send, &receive, root, collective);
}

// `sendbuf` of an operation in which all ranks send.
Error allgather_from(Communicator &comm, const void *sendbuf, Count sendcount, Datatype *sendtype,
                     const Blocks &receive, Collective collective) {
    if (sendbuf == MPI_IN_PLACE) {
        if (comm.inter)
            return bad_in_place("sendbuf", "in an intra-communicator");
        return allgather(comm, nullptr, receive, collective);
    }
    if (Error error = check_block("send", sendcount, sendtype))
        return error;
    Block send = block_at(sendbuf, sendcount, *sendtype);
    return allgather(comm, &send, receive, collective);
}

Error check_all_in_place(const Communicator &comm, const void *sendbuf) {
    return sendbuf == MPI_IN_PLACE && comm.inter
               ? bad_in_place("sendbuf", "in an intra-communicator")
               : success;
}

} // namespace

Error barrier(Communicator &comm) {
    return thrum::barrier(comm);
}

Error bcast(void *buffer, Count count, Datatype &datatype, int root, Communicator &comm) {
    if (buffer == MPI_IN_PLACE)
        return bad_in_place("buffer", "as a send or receive buffer of other operations");
    return broadcast(comm, block_at(buffer, count, datatype), root);
}

Error gather(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
             Count recvcount, Datatype *recvtype, int root, Communicator &comm) {
    Role role = role_of(comm, root);
    if (!role.root)
        return gather_to(comm, role, sendbuf, sendcount, sendtype, nullptr, root,
                         Collective::Gather);
    if (Error error = check_buffer("recv", recvbuf, recvcount, recvtype))
        return error;
    Blocks receive = Blocks::equal(recvbuf, recvcount, *recvtype);
    return gather_to(comm, role, sendbuf, sendcount, sendtype, &receive, root, Collective::Gather);
}

Error gatherv(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
              CountArray recvcounts, CountArray displs, Datatype *recvtype, int root,
              Communicator &comm) {
    Role role = role_of(comm, root);
    if (!role.root)
        return gather_to(comm, role, sendbuf, sendcount, sendtype, nullptr, root,
                         Collective::Gatherv);
    if (Error error = check_buffer("recv", recvbuf, 0, recvtype))
        return error;
    if (Error error = check_counts("recvcounts", recvcounts, "displs", displs, comm.remote_size))
        return error;
    Blocks receive = Blocks::varying(recvbuf, recvcounts, displs, *recvtype);
    return gather_to(comm, role, sendbuf, sendcount, sendtype, &receive, root, Collective::Gatherv);
}

Error scatter(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
              Count recvcount, Datatype *recvtype, int root, Communicator &comm) {
    Role role = role_of(comm, root);
    if (!role.root)
        return scatter_from(comm, role, nullptr, recvbuf, recvcount, recvtype, root,
                            Collective::Scatter);
    if (Error error = check_buffer("send", sendbuf, sendcount, sendtype))
        return error;
    Blocks send = Blocks::equal(sendbuf, sendcount, *sendtype);
    return scatter_from(comm, role, &send, recvbuf, recvcount, recvtype, root, Collective::Scatter);
}

Error scatterv(const void *sendbuf, CountArray sendcounts, CountArray displs, Datatype *sendtype,
               void *recvbuf, Count recvcount, Datatype *recvtype, int root, Communicator &comm) {
    Role role = role_of(comm, root);
    if (!role.root)
        return scatter_from(comm, role, nullptr, recvbuf, recvcount, recvtype, root,
                            Collective::Scatterv);
    if (Error error = check_buffer("send", sendbuf, 0, sendtype))
        return error;
    if (Error error = check_counts("sendcounts", sendcounts, "displs", displs, comm.remote_size))
        return error;
    Blocks send = Blocks::varying(sendbuf, sendcounts, displs, *sendtype);
    return scatter_from(comm, role, &send, recvbuf, recvcount, recvtype, root,
                        Collective::Scatterv);
}

Error allgather(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
                Count recvcount, Datatype *recvtype, Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, recvcount, recvtype))
        return error;
    return allgather_from(comm, sendbuf, sendcount, sendtype,
                          Blocks::equal(recvbuf, recvcount, *recvtype), Collective::Allgather);
}

Error allgatherv(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
                 CountArray recvcounts, CountArray displs, Datatype *recvtype, Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, 0, recvtype))
        return error;
    if (Error error = check_counts("recvcounts", recvcounts, "displs", displs, comm.remote_size))
        return error;
    return allgather_from(comm, sendbuf, sendcount, sendtype,
                          Blocks::varying(recvbuf, recvcounts, displs, *recvtype),
                          Collective::Allgatherv);
}

Error alltoall(const void *sendbuf, Count sendcount, Datatype *sendtype, void *recvbuf,
               Count recvcount, Datatype *recvtype, Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, recvcount, recvtype))
        return error;
    if (Error error = check_all_in_place(comm, sendbuf))
        return error;
    Blocks receive = Blocks::equal(recvbuf, recvcount, *recvtype);
    if (sendbuf == MPI_IN_PLACE)
        return thrum::alltoall(comm, nullptr, receive, Collective::Alltoall);
    if (Error error = check_block("send", sendcount, sendtype))
        return error;
    Blocks send = Blocks::equal(sendbuf, sendcount, *sendtype);
    return thrum::alltoall(comm, &send, receive, Collective::Alltoall);
}

Error alltoallv(const void *sendbuf, CountArray sendcounts, CountArray sdispls, Datatype *sendtype,
                void *recvbuf, CountArray recvcounts, CountArray rdispls, Datatype *recvtype,
                Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, 0, recvtype))
        return error;
    if (Error error = check_counts("recvcounts", recvcounts, "rdispls", rdispls, comm.remote_size))
        return error;
    if (Error error = check_all_in_place(comm, sendbuf))
        return error;
    Blocks receive = Blocks::varying(recvbuf, recvcounts, rdispls, *recvtype);
    if (sendbuf == MPI_IN_PLACE)
        return thrum::alltoall(comm, nullptr, receive, Collective::Alltoallv);
    if (Error error = check_block("send", 0, sendtype))
        return error;
    if (Error error = check_counts("sendcounts", sendcounts, "sdispls", sdispls, comm.remote_size))
        return error;
    Blocks send = Blocks::varying(sendbuf, sendcounts, sdispls, *sendtype);
    return thrum::alltoall(comm, &send, receive, Collective::Alltoallv);
}

Error alltoallw(const void *sendbuf, CountArray sendcounts, CountArray sdispls,
                const MPI_Datatype sendtypes[], void *recvbuf, CountArray recvcounts,
                CountArray rdispls, const MPI_Datatype recvtypes[], Communicator &comm) {
    if (recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    if (Error error = check_counts("recvcounts", recvcounts, "rdispls", rdispls, comm.remote_size))
        return error;
    if (Error error = check_types("recvtypes", recvtypes, recvcounts, comm.remote_size))
        return error;
    if (Error error = check_all_in_place(comm, sendbuf))
        return error;
    Blocks receive = Blocks::general(recvbuf, recvcounts, rdispls, recvtypes);
    if (sendbuf == MPI_IN_PLACE)
        return thrum::alltoall(comm, nullptr, receive, Collective::Alltoallw);
    if (Error error = check_counts("sendcounts", sendcounts, "sdispls", sdispls, comm.remote_size))
        return error;
    if (Error error = check_types("sendtypes", sendtypes, sendcounts, comm.remote_size))
        return error;
    Blocks send = Blocks::general(sendbuf, sendcounts, sdispls, sendtypes);
    return thrum::alltoall(comm, &send, receive, Collective::Alltoallw);
}

} // namespace thrum::mpi
