#include "mpi/peers.h"

#include "comm/process.h"
#include "entry/calls.h"

namespace thrum {
namespace {

// The number of neighbours of the calling rank, by direction.
struct Neighbors {
    int sources = 0;
    int destinations = 0;
};

// Returns zeros for a communicator without a topology; the MPI call itself reports that error.
Neighbors neighbors_of(MPI_Comm handle) {
    assert_may_suspend(); // the program calls
    Communicator *comm = find_communicator(handle);
    int kind = MPI_UNDEFINED, n = 0, weighted = 0;
    Neighbors result;
    if (!comm || mpi::topo_test(*comm, &kind))
        return result;
    switch (kind) {
    case MPI_CART:
        if (!mpi::cartdim_get(*comm, &n))
            result = {2 * n, 2 * n};
        break;
    case MPI_GRAPH:
        if (!mpi::graph_neighbors_count(*comm, comm->rank, &n))
            result = {n, n};
        break;
    case MPI_DIST_GRAPH:
        if (mpi::dist_graph_neighbors_count(*comm, &result.sources, &result.destinations,
                                            &weighted))
            result = {};
        break;
    default:
        break;
    }
    return result;
}

} // namespace

int peers_of(MPI_Comm handle) {
    Communicator *comm = find_communicator(handle);
    return comm ? comm->remote_size : 0;
}

int peers_at_root(MPI_Comm handle, int root) {
    Communicator *comm = find_communicator(handle);
    return comm && root == (comm->inter ? MPI_ROOT : comm->rank) ? comm->remote_size : 0;
}

int members_of(MPI_Comm handle) {
    Communicator *comm = find_communicator(handle);
    return comm ? comm->size : 0;
}

int destinations_of(MPI_Comm comm) {
    return neighbors_of(comm).destinations;
}

int sources_of(MPI_Comm comm) {
    return neighbors_of(comm).sources;
}

int dimensions_of(MPI_Comm handle) {
    assert_may_suspend(); // the program calls
    Communicator *comm = find_communicator(handle);
    int kind = MPI_UNDEFINED, dimensions = 0;
    if (!comm || mpi::topo_test(*comm, &kind) || kind != MPI_CART ||
        mpi::cartdim_get(*comm, &dimensions))
        return 0;
    return dimensions;
}

} // namespace thrum
