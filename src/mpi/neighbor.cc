// Neighbourhood collectives (MPI 5.0 sections 8.6 to 8.8): checks of their arguments. The
// implementation is in coll/neighbor.h. There is one function for each operation, which the
// blocking, non-blocking and persistent MPI functions at the end call with the form as a `Use`.
#include "coll/neighbor.h"

#include "entry/calls.h"
#include "mpi/collective_arguments.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/wait.h"

namespace thrum::mpi {
namespace {

// The form in which an operation is used; `request` is set in the non-blocking and persistent
// forms.
struct Use {
    enum class Form { Blocking, NonBlocking, Persistent };
    Form form = Form::Blocking;
    MPI_Request *request = nullptr;

    static Use nonblocking(MPI_Request *request) { return {Form::NonBlocking, request}; }

    static Use persistent(MPI_Request *request) { return {Form::Persistent, request}; }
};

// The MPI functions of an operation, indexed by Use::Form; for reports.
using Names = const char *const[3];
#define NAMES_OF(operation)                                                                        \
    constexpr Names operation##_names = {"MPI_Neighbor_" #operation, "MPI_Ineighbor_" #operation,  \
                                         "MPI_Neighbor_" #operation "_init"}
NAMES_OF(allgather);
NAMES_OF(allgatherv);
NAMES_OF(alltoall);
NAMES_OF(alltoallv);
NAMES_OF(alltoallw);

// Checks a null buffer: it requires absolute addresses, unless all partners are MPI_PROC_NULL.
// `neighbor(i)` is the i-th partner.
[[gnu::cold]] Error check_null(const char *name, const Blocks &blocks, int degree,
                               const auto &neighbor) {
    for (int i = 0; i < degree; ++i)
        if (const Block block = blocks[i]; block.type && neighbor(i) != MPI_PROC_NULL)
            if (Error error = arg::check_bottom(name, block.count, *block.type,
                                                reinterpret_cast<MPI_Aint>(block.address)))
                return error;
    return success;
}

// All forms are one request: the blocking form starts it and waits, the non-blocking form starts
// it, the persistent form only makes it.
Error exchange(Communicator &comm, const Neighbors &neighbors, const Blocks &send,
               const Blocks &receive, const Use &use, const Names &names) MAY_SUSPEND {
    if (send.from_bottom()) [[unlikely]]
        if (Error error = check_null("sendbuf", send, neighbors.outdegree(),
                                     [&](int i) { return neighbors.destination(i); }))
            return error;
    if (receive.from_bottom()) [[unlikely]]
        if (Error error = check_null("recvbuf", receive, neighbors.indegree(),
                                     [&](int i) { return neighbors.source(i); }))
            return error;
    bool persistent = use.form == Use::Form::Persistent;
    auto *operation = NeighborExchange::make(comm, neighbors, send, receive, persistent,
                                             names[static_cast<int>(use.form)]);
    MPI_Request request = operation;
    if (!persistent) {
        if (Error error = operation->start())
            return error;
        if (use.form == Use::Form::Blocking)
            return thrum::wait(request, MPI_STATUS_IGNORE);
    }
    *use.request = request;
    return success;
}

// Neighbours are those of the communicator's topology.
Error check_topology(const Communicator &comm) {
    if (comm.topology)
        return success;
    return fail(MPI_ERR_TOPOLOGY, "comm is %s, which has no topology",
                *comm.name ? comm.name : "a communicator");
}

// Section 8.6.1: the "in place" option is not meaningful.
Error check_buffers(const void *sendbuf, const void *recvbuf) {
    if (sendbuf != MPI_IN_PLACE && recvbuf != MPI_IN_PLACE)
        return success;
    return fail(MPI_ERR_BUFFER,
                "%s is MPI_IN_PLACE, which neighbourhood collectives do not support",
                sendbuf == MPI_IN_PLACE ? "sendbuf" : "recvbuf");
}

// Makes the checks that all operations have in common.
Error check_all(const Communicator &comm, const void *sendbuf, const void *recvbuf) {
    if (Error error = check_topology(comm))
        return error;
    return check_buffers(sendbuf, recvbuf);
}

// Checks the arrays for `degree` neighbours. Without neighbours they are not read, and may be null.
Error check_arrays(const char *counts_name, CountArray counts, const char *displacements_name,
                   CountArray displacements, int degree) {
    return degree == 0
               ? success
               : check_counts(counts_name, counts, displacements_name, displacements, degree);
}

Error check_type_array(const char *name, const MPI_Datatype types[], CountArray counts,
                       int degree) {
    return degree == 0 ? success : check_types(name, types, counts, degree);
}

// Every neighbour gets the same block.
Error allgather(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                Count recvcount, Datatype &recvtype, Communicator &comm,
                const Use &use) MAY_SUSPEND {
    if (Error error = check_all(comm, sendbuf, recvbuf))
        return error;
    return exchange(comm, Neighbors(comm), Blocks::same(sendbuf, sendcount, sendtype),
                    Blocks::equal(recvbuf, recvcount, recvtype), use, allgather_names);
}

Error allgatherv(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                 CountArray recvcounts, CountArray displs, Datatype &recvtype, Communicator &comm,
                 const Use &use) MAY_SUSPEND {
    if (Error error = check_all(comm, sendbuf, recvbuf))
        return error;
    Neighbors neighbors(comm);
    if (Error error =
            check_arrays("recvcounts", recvcounts, "displs", displs, neighbors.indegree()))
        return error;
    return exchange(comm, neighbors, Blocks::same(sendbuf, sendcount, sendtype),
                    Blocks::varying(recvbuf, recvcounts, displs, recvtype), use, allgatherv_names);
}

// There is a block for each neighbour, all of one size.
Error alltoall(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
               Count recvcount, Datatype &recvtype, Communicator &comm,
               const Use &use) MAY_SUSPEND {
    if (Error error = check_all(comm, sendbuf, recvbuf))
        return error;
    return exchange(comm, Neighbors(comm), Blocks::equal(sendbuf, sendcount, sendtype),
                    Blocks::equal(recvbuf, recvcount, recvtype), use, alltoall_names);
}

// A rank has as many send blocks as destinations, and as many receive blocks as sources.
Error alltoallv(const void *sendbuf, CountArray sendcounts, CountArray sdispls, Datatype &sendtype,
                void *recvbuf, CountArray recvcounts, CountArray rdispls, Datatype &recvtype,
                Communicator &comm, const Use &use) MAY_SUSPEND {
    if (Error error = check_all(comm, sendbuf, recvbuf))
        return error;
    Neighbors neighbors(comm);
    if (Error error =
            check_arrays("sendcounts", sendcounts, "sdispls", sdispls, neighbors.outdegree()))
        return error;
    if (Error error =
            check_arrays("recvcounts", recvcounts, "rdispls", rdispls, neighbors.indegree()))
        return error;
    return exchange(comm, neighbors, Blocks::varying(sendbuf, sendcounts, sdispls, sendtype),
                    Blocks::varying(recvbuf, recvcounts, rdispls, recvtype), use, alltoallv_names);
}

// Datatypes are checked with their counts: that of an empty block may be anything.
Error alltoallw(const void *sendbuf, CountArray sendcounts, CountArray sdispls,
                const MPI_Datatype sendtypes[], void *recvbuf, CountArray recvcounts,
                CountArray rdispls, const MPI_Datatype recvtypes[], Communicator &comm,
                const Use &use) MAY_SUSPEND {
    if (Error error = check_all(comm, sendbuf, recvbuf))
        return error;
    Neighbors neighbors(comm);
    const int indegree = neighbors.indegree(), outdegree = neighbors.outdegree();
    if (Error error = check_arrays("sendcounts", sendcounts, "sdispls", sdispls, outdegree))
        return error;
    if (Error error = check_type_array("sendtypes", sendtypes, sendcounts, outdegree))
        return error;
    if (Error error = check_arrays("recvcounts", recvcounts, "rdispls", rdispls, indegree))
        return error;
    if (Error error = check_type_array("recvtypes", recvtypes, recvcounts, indegree))
        return error;
    return exchange(comm, neighbors, Blocks::general(sendbuf, sendcounts, sdispls, sendtypes),
                    Blocks::general(recvbuf, recvcounts, rdispls, recvtypes), use, alltoallw_names);
}

} // namespace

// Section 8.6: blocking
Error neighbor_allgather(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                         Count recvcount, Datatype &recvtype, Communicator &comm) {
    return allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, {});
}

Error neighbor_allgatherv(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                          CountArray recvcounts, CountArray displs, Datatype &recvtype,
                          Communicator &comm) {
    return allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                      {});
}

Error neighbor_alltoall(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                        Count recvcount, Datatype &recvtype, Communicator &comm) {
    return alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, {});
}

Error neighbor_alltoallv(const void *sendbuf, CountArray sendcounts, CountArray sdispls,
                         Datatype &sendtype, void *recvbuf, CountArray recvcounts,
                         CountArray rdispls, Datatype &recvtype, Communicator &comm) {
    return alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                     comm, {});
}

Error neighbor_alltoallw(const void *sendbuf, CountArray sendcounts, const MPI_Aint sdispls[],
                         const MPI_Datatype sendtypes[], void *recvbuf, CountArray recvcounts,
                         const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                         Communicator &comm) {
    return alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                     recvtypes, comm, {});
}

// Section 8.7: non-blocking
Error ineighbor_allgather(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                          Count recvcount, Datatype &recvtype, Communicator &comm,
                          MPI_Request *request) {
    return allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                     Use::nonblocking(request));
}

Error ineighbor_allgatherv(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                           CountArray recvcounts, CountArray displs, Datatype &recvtype,
                           Communicator &comm, MPI_Request *request) {
    return allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                      Use::nonblocking(request));
}

Error ineighbor_alltoall(const void *sendbuf, Count sendcount, Datatype &sendtype, void *recvbuf,
                         Count recvcount, Datatype &recvtype, Communicator &comm,
                         MPI_Request *request) {
    return alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                    Use::nonblocking(request));
}

Error ineighbor_alltoallv(const void *sendbuf, CountArray sendcounts, CountArray sdispls,
                          Datatype &sendtype, void *recvbuf, CountArray recvcounts,
                          CountArray rdispls, Datatype &recvtype, Communicator &comm,
                          MPI_Request *request) {
    return alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                     comm, Use::nonblocking(request));
}

Error ineighbor_alltoallw(const void *sendbuf, CountArray sendcounts, const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void *recvbuf, CountArray recvcounts,
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                          Communicator &comm, MPI_Request *request) {
    return alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                     recvtypes, comm, Use::nonblocking(request));
}

// Section 8.8: persistent
Error neighbor_allgather_init(const void *sendbuf, Count sendcount, Datatype &sendtype,
                              void *recvbuf, Count recvcount, Datatype &recvtype,
                              Communicator &comm, Info *, MPI_Request *request) {
    return allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                     Use::persistent(request));
}

Error neighbor_allgatherv_init(const void *sendbuf, Count sendcount, Datatype &sendtype,
                               void *recvbuf, CountArray recvcounts, CountArray displs,
                               Datatype &recvtype, Communicator &comm, Info *,
                               MPI_Request *request) {
    return allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                      Use::persistent(request));
}

Error neighbor_alltoall_init(const void *sendbuf, Count sendcount, Datatype &sendtype,
                             void *recvbuf, Count recvcount, Datatype &recvtype, Communicator &comm,
                             Info *, MPI_Request *request) {
    return alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                    Use::persistent(request));
}

Error neighbor_alltoallv_init(const void *sendbuf, CountArray sendcounts, CountArray sdispls,
                              Datatype &sendtype, void *recvbuf, CountArray recvcounts,
                              CountArray rdispls, Datatype &recvtype, Communicator &comm, Info *,
                              MPI_Request *request) {
    return alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                     comm, Use::persistent(request));
}

Error neighbor_alltoallw_init(const void *sendbuf, CountArray sendcounts, const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void *recvbuf, CountArray recvcounts,
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                              Communicator &comm, Info *, MPI_Request *request) {
    return alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                     recvtypes, comm, Use::persistent(request));
}

} // namespace thrum::mpi
