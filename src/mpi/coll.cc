// Collective operations (MPI 5.0 chapter 6) that move data, and the barrier: which arguments are
// significant at which rank, MPI_IN_PLACE, and errors that one rank can detect alone. Reductions
// are in reduce.cc.
//
// For each operation there is a check_x(), which fills in a Movement: the blocks that this rank
// sends and receives. A row of the table at the end (MOVEMENT) makes the three MPI functions from
// it. What only a comparison of ranks can detect (different roots or sizes) is found in coll/.
#include "mpi/aliasing.h"
#include "mpi/collective_calls.h"

#include <cstdio>

namespace thrum::mpi {

// Finds out which argument of check_block() is wrong, if any is. Builds the argument's name from
// `which`. Also reached with valid arguments, such as a null buffer without elements.
Error bad_block(const char *which, const void *buffer, Count count, Datatype *&type) {
    char name[16];
    std::snprintf(name, sizeof name, "%s%s", which, count < 0 ? "count" : type ? "buf" : "type");
    if (count < 0)
        return arg::bad_count(name, count);
    if (!type) {
        if (Error error = arg::no_datatype(name, MPI_DATATYPE_NULL, count))
            return error;
        type = find_datatype(MPI_BYTE);
        return success;
    }
    if (type->committed)
        return buffer ? success : arg::check_bottom(name, count, *type);
    std::snprintf(name, sizeof name, "%stype", which);
    return arg::not_committed(name, *type);
}

namespace {

// The role of the calling rank in an operation with a root (section 6.2.3).
struct Role {
    bool root;   // receives from, or sends to, all
    bool member; // sends to, or receives from, the root
};

// In an inter-communicator the root passes MPI_ROOT, the other members of its group MPI_PROC_NULL
// (negative), and the remote group the root's rank.
Role role_of(const Communicator &comm, int root) {
    if (!comm.inter)
        return {root == comm.rank, true};
    return {root == MPI_ROOT, root >= 0};
}

Blocks one_block(const void *buffer, Count count, const Datatype &type) {
    return Blocks::equal(buffer, count, type);
}

// Checks what MPI_Gather and MPI_Gatherv share: what this rank sends.
Error check_gathered(Movement &movement, Role role, const void *sendbuf, Count sendcount,
                     Datatype *sendtype, const Communicator &comm) {
    bool in_place = sendbuf == MPI_IN_PLACE;
    if (in_place && role.member && (!role.root || comm.inter))
        return bad_in_place("sendbuf", "at the root of an intra-communicator");
    if (in_place || !role.member)
        return success;
    if (Error error = check_block("send", sendbuf, sendcount, sendtype))
        return error;
    movement.send = one_block(sendbuf, sendcount, *sendtype);
    return success;
}

// Checks what this rank receives in MPI_Scatter and MPI_Scatterv.
Error check_scattered(Movement &movement, Role role, void *recvbuf, Count recvcount,
                      Datatype *recvtype, const Communicator &comm) {
    bool in_place = recvbuf == MPI_IN_PLACE;
    if (in_place && role.member && (!role.root || comm.inter))
        return bad_in_place("recvbuf", "at the root of an intra-communicator");
    if (in_place || !role.member)
        return success;
    if (Error error = check_block("recv", recvbuf, recvcount, recvtype))
        return error;
    movement.receive = one_block(recvbuf, recvcount, *recvtype);
    return success;
}

// Checks `sendbuf` of an operation in which all ranks send one block.
Error check_sent_to_all(Movement &movement, const void *sendbuf, Count sendcount,
                        Datatype *sendtype, const Communicator &comm) {
    if (sendbuf == MPI_IN_PLACE)
        return comm.inter ? bad_in_place("sendbuf", "in an intra-communicator") : success;
    if (Error error = check_block("send", sendbuf, sendcount, sendtype))
        return error;
    movement.send = one_block(sendbuf, sendcount, *sendtype);
    return success;
}

// MPI_IN_PLACE of an all-to-all operation needs one group: in an inter-communicator the blocks to
// send are not those to receive.
Error check_all_in_place(const Communicator &comm, const void *sendbuf) {
    return sendbuf == MPI_IN_PLACE && comm.inter
               ? bad_in_place("sendbuf", "in an intra-communicator")
               : success;
}

// Checks for a null buffer when the datatypes of its blocks have been checked.
Error check_typed(const char *name, const void *buffer, CountArray counts, CountArray displacements,
                  const MPI_Datatype types[], int size) {
    for (int i = 0; !buffer && i < size; ++i) {
        const auto index = static_cast<size_t>(i);
        if (Error error = arg::check_bottom(name, counts[index], types[i], displacements[index]))
            return error;
    }
    return success;
}

// The only buffer is sent by the root and received by the others. MPI_IN_PLACE has no meaning here.
Error check_bcast(Movement &movement, void *buffer, Count count, Datatype &datatype, int root,
                  const Communicator &comm) {
    if (buffer == MPI_IN_PLACE)
        return bad_in_place("buffer", "as a send or receive buffer of other operations");
    Role role = role_of(comm, root);
    if (role.root)
        movement.send = one_block(buffer, count, datatype);
    else if (role.member)
        movement.receive = one_block(buffer, count, datatype);
    return success;
}

// At ranks other than the root only what is sent is significant, so nothing else is read there.
Error check_gather(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                   void *recvbuf, Count recvcount, Datatype *recvtype, int root,
                   const Communicator &comm) {
    Role role = role_of(comm, root);
    if (role.root) {
        if (Error error = check_buffer("recv", recvbuf, recvcount, recvtype))
            return error;
        movement.receive = Blocks::equal(recvbuf, recvcount, *recvtype);
    }
    if (Error error = check_gathered(movement, role, sendbuf, sendcount, sendtype, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, movement, BlockCounts{1, comm.remote_size}, comm);
}

// Counts and displacements are significant at the root only; there is one for each rank of the
// remote group.
Error check_gatherv(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                    void *recvbuf, CountArray recvcounts, CountArray displs, Datatype *recvtype,
                    int root, const Communicator &comm) {
    Role role = role_of(comm, root);
    if (role.root) {
        if (Error error = check_buffer("recv", recvbuf, recvcounts, comm.remote_size, recvtype))
            return error;
        if (Error error =
                check_counts("recvcounts", recvcounts, "displs", displs, comm.remote_size))
            return error;
        movement.receive = Blocks::varying(recvbuf, recvcounts, displs, *recvtype);
    }
    if (Error error = check_gathered(movement, role, sendbuf, sendcount, sendtype, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, movement, BlockCounts{1, comm.remote_size}, comm);
}

// At ranks other than the root only what is received is significant.
Error check_scatter(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                    void *recvbuf, Count recvcount, Datatype *recvtype, int root,
                    const Communicator &comm) {
    Role role = role_of(comm, root);
    if (role.root) {
        if (Error error = check_buffer("send", sendbuf, sendcount, sendtype))
            return error;
        movement.send = Blocks::equal(sendbuf, sendcount, *sendtype);
    }
    if (Error error = check_scattered(movement, role, recvbuf, recvcount, recvtype, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, movement, BlockCounts{comm.remote_size, 1, "recvbuf"},
                          comm);
}

// Counts and displacements are significant at the root only.
Error check_scatterv(Movement &movement, const void *sendbuf, CountArray sendcounts,
                     CountArray displs, Datatype *sendtype, void *recvbuf, Count recvcount,
                     Datatype *recvtype, int root, const Communicator &comm) {
    Role role = role_of(comm, root);
    if (role.root) {
        if (Error error = check_buffer("send", sendbuf, sendcounts, comm.remote_size, sendtype))
            return error;
        if (Error error =
                check_counts("sendcounts", sendcounts, "displs", displs, comm.remote_size))
            return error;
        movement.send = Blocks::varying(sendbuf, sendcounts, displs, *sendtype);
    }
    if (Error error = check_scattered(movement, role, recvbuf, recvcount, recvtype, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, movement, BlockCounts{comm.remote_size, 1, "recvbuf"},
                          comm);
}

// MPI_IN_PLACE as sendbuf: this rank's block is in the receive buffer already.
Error check_allgather(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                      void *recvbuf, Count recvcount, Datatype *recvtype,
                      const Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, recvcount, recvtype))
        return error;
    movement.receive = Blocks::equal(recvbuf, recvcount, *recvtype);
    if (Error error = check_sent_to_all(movement, sendbuf, sendcount, sendtype, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, movement, BlockCounts{1, comm.remote_size}, comm);
}

Error check_allgatherv(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                       void *recvbuf, CountArray recvcounts, CountArray displs, Datatype *recvtype,
                       const Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, recvcounts, comm.remote_size, recvtype))
        return error;
    if (Error error = check_counts("recvcounts", recvcounts, "displs", displs, comm.remote_size))
        return error;
    movement.receive = Blocks::varying(recvbuf, recvcounts, displs, *recvtype);
    if (Error error = check_sent_to_all(movement, sendbuf, sendcount, sendtype, comm))
        return error;
    return check_aliasing(sendbuf, recvbuf, movement, BlockCounts{1, comm.remote_size}, comm);
}

// With MPI_IN_PLACE the receive buffer is both: its blocks are sent and then replaced.
Error check_alltoall(Movement &movement, const void *sendbuf, Count sendcount, Datatype *sendtype,
                     void *recvbuf, Count recvcount, Datatype *recvtype, const Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, recvcount, recvtype))
        return error;
    if (Error error = check_all_in_place(comm, sendbuf))
        return error;
    movement.receive = Blocks::equal(recvbuf, recvcount, *recvtype);
    if (sendbuf == MPI_IN_PLACE)
        return success;
    if (Error error = check_block("send", sendbuf, sendcount, sendtype))
        return error;
    movement.send = Blocks::equal(sendbuf, sendcount, *sendtype);
    return check_aliasing(sendbuf, recvbuf, movement,
                          BlockCounts{comm.remote_size, comm.remote_size}, comm);
}

// With MPI_IN_PLACE the receive buffer describes both directions.
Error check_alltoallv(Movement &movement, const void *sendbuf, CountArray sendcounts,
                      CountArray sdispls, Datatype *sendtype, void *recvbuf, CountArray recvcounts,
                      CountArray rdispls, Datatype *recvtype, const Communicator &comm) {
    if (Error error = check_buffer("recv", recvbuf, recvcounts, comm.remote_size, recvtype))
        return error;
    if (Error error = check_counts("recvcounts", recvcounts, "rdispls", rdispls, comm.remote_size))
        return error;
    if (Error error = check_all_in_place(comm, sendbuf))
        return error;
    movement.receive = Blocks::varying(recvbuf, recvcounts, rdispls, *recvtype);
    if (sendbuf == MPI_IN_PLACE)
        return success;
    if (Error error = check_buffer("send", sendbuf, sendcounts, comm.remote_size, sendtype))
        return error;
    if (Error error = check_counts("sendcounts", sendcounts, "sdispls", sdispls, comm.remote_size))
        return error;
    movement.send = Blocks::varying(sendbuf, sendcounts, sdispls, *sendtype);
    return check_aliasing(sendbuf, recvbuf, movement,
                          BlockCounts{comm.remote_size, comm.remote_size}, comm);
}

// There is a datatype per block, so null buffers can only be checked when counts and types have
// been.
Error check_alltoallw(Movement &movement, const void *sendbuf, CountArray sendcounts,
                      CountArray sdispls, const MPI_Datatype sendtypes[], void *recvbuf,
                      CountArray recvcounts, CountArray rdispls, const MPI_Datatype recvtypes[],
                      const Communicator &comm) {
    if (recvbuf == MPI_IN_PLACE)
        return bad_in_place("recvbuf", "as sendbuf");
    if (Error error = check_counts("recvcounts", recvcounts, "rdispls", rdispls, comm.remote_size))
        return error;
    if (Error error = check_types("recvtypes", recvtypes, recvcounts, comm.remote_size))
        return error;
    if (Error error = check_all_in_place(comm, sendbuf))
        return error;
    if (Error error =
            check_typed("recvbuf", recvbuf, recvcounts, rdispls, recvtypes, comm.remote_size))
        return error;
    movement.receive = Blocks::general(recvbuf, recvcounts, rdispls, recvtypes);
    if (sendbuf == MPI_IN_PLACE)
        return success;
    if (Error error = check_counts("sendcounts", sendcounts, "sdispls", sdispls, comm.remote_size))
        return error;
    if (Error error = check_types("sendtypes", sendtypes, sendcounts, comm.remote_size))
        return error;
    if (Error error =
            check_typed("sendbuf", sendbuf, sendcounts, sdispls, sendtypes, comm.remote_size))
        return error;
    movement.send = Blocks::general(sendbuf, sendcounts, sdispls, sendtypes);
    return check_aliasing(sendbuf, recvbuf, movement,
                          BlockCounts{comm.remote_size, comm.remote_size}, comm);
}

} // namespace

#define MOVEMENT(name, collective, root, parameters, arguments)                                    \
    ALL_FORMS(name, collective, root, parameters,                                                  \
              if (Error error = check_##name(call.movement, LIST arguments, comm)) return error)

// Parameters that several rows share.
#define SEND const void *sendbuf, Count sendcount, Datatype *sendtype
#define SEND_VARYING                                                                               \
    const void *sendbuf, CountArray sendcounts, CountArray sdispls, Datatype *sendtype
#define SEND_GENERAL                                                                               \
    const void *sendbuf, CountArray sendcounts, CountArray sdispls, const MPI_Datatype sendtypes[]
#define RECEIVE void *recvbuf, Count recvcount, Datatype *recvtype
#define RECEIVE_VARYING void *recvbuf, CountArray recvcounts, CountArray displs, Datatype *recvtype
#define RECEIVE_GENERAL                                                                            \
    void *recvbuf, CountArray recvcounts, CountArray displs, const MPI_Datatype recvtypes[]

Error barrier(Communicator &comm) {
    return run_alone(comm, [&]() MAY_SUSPEND { return thrum::barrier(comm); });
}

Error ibarrier(Communicator &comm, MPI_Request *request) {
    thrum::ibarrier(comm, request);
    return success;
}

// A barrier has no arguments to check.
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

} // namespace thrum::mpi
