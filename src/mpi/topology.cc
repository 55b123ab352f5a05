// Virtual topologies (MPI 5.0 sections 8.5.2 and 8.5.5 to 8.5.8): queries and computations, all
// local. The topologies are comm/topology.h; communicators with one are created in
// topology_create.cc.
#include "comm/topology.h"

#include "entry/calls.h"
#include "mpi/topology_arguments.h"

#include <algorithm>
#include <vector>

namespace thrum::mpi {
namespace {

// Returns the error about a missing topology, or one of another kind.
[[gnu::cold]] Error other_topology(const Communicator &comm, const char *wanted) {
    const char *name = *comm.name ? comm.name : "a communicator";
    if (!comm.topology)
        return fail(MPI_ERR_TOPOLOGY, "comm is %s, which has no topology", name);
    const char *has = comm.topology->kind == Topology::Kind::Cartesian ? "a Cartesian topology"
                      : comm.topology->kind == Topology::Kind::Graph
                          ? "a graph topology"
                          : "a distributed graph topology";
    return fail(MPI_ERR_TOPOLOGY, "comm is %s, which has %s, not a %s topology", name, has, wanted);
}

// These three find the topology of one kind, or fail with what the communicator has instead.
Error find_grid(const Communicator &comm, const Grid *&grid) {
    if (!comm.topology || comm.topology->kind != Topology::Kind::Cartesian)
        return other_topology(comm, "Cartesian");
    grid = &comm.topology->grid;
    return success;
}

Error find_graph(const Communicator &comm, const Graph *&graph) {
    if (!comm.topology || comm.topology->kind != Topology::Kind::Graph)
        return other_topology(comm, "graph");
    graph = &comm.topology->graph;
    return success;
}

Error find_adjacency(const Communicator &comm, const Adjacency *&adjacency) {
    if (!comm.topology || comm.topology->kind != Topology::Kind::DistributedGraph)
        return other_topology(comm, "distributed graph");
    adjacency = &comm.topology->adjacency;
    return success;
}

// Checks that an array of the program has room for `needed` numbers.
Error check_room(const char *length_name, int length, const char *array_name, const void *array,
                 int needed) {
    if (length < needed)
        return fail(MPI_ERR_ARG, "%s is %d, but %s needs room for %d", length_name, length,
                    array_name, needed);
    return needed == 0 || array ? success : arg::null_pointer(array_name);
}

// Checks a rank whose place or neighbours are asked for.
Error check_rank(const Communicator &comm, int rank) {
    if (rank >= 0 && rank < comm.size)
        return success;
    return fail(MPI_ERR_RANK, "rank is %d, but %s has %d rank%s", rank,
                *comm.name ? comm.name : "the communicator", comm.size, comm.size == 1 ? "" : "s");
}

void copy_out(const std::vector<int> &from, int *to) {
    std::copy(from.begin(), from.end(), to);
}

// Copies as much of a list as the program has room for. MPI_UNWEIGHTED, and MPI_WEIGHTS_EMPTY, are
// not places to store to.
Error copy_first(const char *name, const std::vector<int> &from, int room, int *to) {
    auto count = std::min(from.size(), static_cast<size_t>(room));
    if (count > 0 && !to)
        return arg::null_pointer(name);
    if (to != MPI_UNWEIGHTED && to != MPI_WEIGHTS_EMPTY)
        std::copy_n(from.begin(), count, to);
    return success;
}

} // namespace

// Every communicator may be asked; one without a topology gives MPI_UNDEFINED.
Error topo_test(Communicator &comm, int *status) {
    *status = MPI_UNDEFINED;
    if (!comm.topology)
        return success;
    switch (comm.topology->kind) {
    case Topology::Kind::Cartesian:
        *status = MPI_CART;
        break;
    case Topology::Kind::Graph:
        *status = MPI_GRAPH;
        break;
    case Topology::Kind::DistributedGraph:
        *status = MPI_DIST_GRAPH;
        break;
    }
    return success;
}

Error cartdim_get(Communicator &comm, int *ndims) {
    const Grid *grid = nullptr;
    if (Error error = find_grid(comm, grid))
        return error;
    *ndims = grid->dimensions();
    return success;
}

// In an array that is too short nothing is stored: the check of all three comes first.
Error cart_get(Communicator &comm, int maxdims, int dims[], int periods[], int coords[]) {
    const Grid *grid = nullptr;
    if (Error error = find_grid(comm, grid))
        return error;
    const int n = grid->dimensions();
    if (Error error = check_room("maxdims", maxdims, "dims", dims, n))
        return error;
    if (Error error = check_room("maxdims", maxdims, "periods", periods, n))
        return error;
    if (Error error = check_room("maxdims", maxdims, "coords", coords, n))
        return error;
    copy_out(grid->dims, dims);
    copy_out(grid->periods, periods);
    grid->coords_of(comm.rank, coords);
    return success;
}

// Coordinates of periodic dimensions may have any value; rank_of() brings them into range.
Error cart_rank(Communicator &comm, const int coords[], int *rank) {
    const Grid *grid = nullptr;
    if (Error error = find_grid(comm, grid))
        return error;
    if (grid->dimensions() > 0 && !coords)
        return arg::null_pointer("coords");
    for (int d = 0; d < grid->dimensions(); ++d) {
        const int size = grid->dims[static_cast<size_t>(d)];
        if (!grid->periods[static_cast<size_t>(d)] && (coords[d] < 0 || coords[d] >= size))
            return fail(MPI_ERR_ARG,
                        "coords[%d] is %d, but dimension %d has %d processes and is not periodic",
                        d, coords[d], d, size);
    }
    *rank = grid->rank_of(coords);
    return success;
}

Error cart_coords(Communicator &comm, int rank, int maxdims, int coords[]) {
    const Grid *grid = nullptr;
    if (Error error = find_grid(comm, grid))
        return error;
    if (Error error = check_rank(comm, rank))
        return error;
    if (Error error = check_room("maxdims", maxdims, "coords", coords, grid->dimensions()))
        return error;
    grid->coords_of(rank, coords);
    return success;
}

// The source is where a message to this rank comes from if all ranks shift by `disp`. The negation
// is done in 64 bits: -INT_MIN is not an int.
Error cart_shift(Communicator &comm, int direction, int disp, int *rank_source, int *rank_dest) {
    const Grid *grid = nullptr;
    if (Error error = find_grid(comm, grid))
        return error;
    if (direction < 0 || direction >= grid->dimensions())
        return fail(MPI_ERR_DIMS, "direction is %d, but the grid has %d dimension%s", direction,
                    grid->dimensions(), grid->dimensions() == 1 ? "" : "s");
    *rank_source = grid->shifted(comm.rank, direction, -static_cast<long long>(disp));
    *rank_dest = grid->shifted(comm.rank, direction, disp);
    return success;
}

// Section 8.5.8: "A possible implementation of this function is to always return the rank of the
// calling MPI process". Nothing would be gained by another order: all ranks are equally near to
// each other.
Error cart_map(Communicator &comm, int ndims, const int dims[], const int periods[], int *newrank) {
    int nodes = 0;
    if (Error error = check_grid(comm, ndims, dims, periods, nodes))
        return error;
    *newrank = comm.rank < nodes ? comm.rank : MPI_UNDEFINED;
    return success;
}

// Divides nnodes by the entries that are set, and distributes the rest over the entries that are 0.
Error dims_create(int nnodes, int ndims, int dims[]) {
    if (ndims < 0)
        return fail(MPI_ERR_DIMS, "ndims is %d, but must not be negative", ndims);
    if (nnodes < 1)
        return fail(MPI_ERR_ARG, "nnodes is %d, but must be at least 1", nnodes);
    if (ndims > 0 && !dims)
        return arg::null_pointer("dims");
    int rest = nnodes, free = 0;
    for (int i = 0; i < ndims; ++i) {
        if (dims[i] < 0)
            return fail(MPI_ERR_DIMS, "dims[%d] is %d, but must not be negative", i, dims[i]);
        if (dims[i] == 0) {
            ++free;
            continue;
        }
        if (rest % dims[i] != 0)
            return fail(MPI_ERR_DIMS,
                        "nnodes is %d, which is not a multiple of the product of the entries of "
                        "dims that are set (dims[%d] is %d)",
                        nnodes, i, dims[i]);
        rest /= dims[i];
    }
    if (free == 0 && rest != 1)
        return fail(MPI_ERR_DIMS,
                    "nnodes is %d, but all %d entries of dims are set to a product of %d", nnodes,
                    ndims, nnodes / rest);
    balance_dims(rest, free, ndims, dims);
    return success;
}

Error graphdims_get(Communicator &comm, int *nnodes, int *nedges) {
    const Graph *graph = nullptr;
    if (Error error = find_graph(comm, graph))
        return error;
    *nnodes = static_cast<int>(graph->index.size());
    *nedges = static_cast<int>(graph->edges.size());
    return success;
}

// Both arrays must have room for everything.
Error graph_get(Communicator &comm, int maxindex, int maxedges, int index[], int edges[]) {
    const Graph *graph = nullptr;
    if (Error error = find_graph(comm, graph))
        return error;
    if (Error error =
            check_room("maxindex", maxindex, "index", index, static_cast<int>(graph->index.size())))
        return error;
    if (Error error =
            check_room("maxedges", maxedges, "edges", edges, static_cast<int>(graph->edges.size())))
        return error;
    copy_out(graph->index, index);
    copy_out(graph->edges, edges);
    return success;
}

Error graph_neighbors_count(Communicator &comm, int rank, int *nneighbors) {
    const Graph *graph = nullptr;
    if (Error error = find_graph(comm, graph))
        return error;
    if (Error error = check_rank(comm, rank))
        return error;
    *nneighbors = graph->degree_of(rank);
    return success;
}

// Any member may ask for the neighbours of any other, since all share the graph.
Error graph_neighbors(Communicator &comm, int rank, int maxneighbors, int neighbors[]) {
    const Graph *graph = nullptr;
    if (Error error = find_graph(comm, graph))
        return error;
    if (Error error = check_rank(comm, rank))
        return error;
    const int degree = graph->degree_of(rank);
    if (Error error = check_room("maxneighbors", maxneighbors, "neighbors", neighbors, degree))
        return error;
    std::copy_n(graph->edges.begin() + graph->begin_of(rank), degree, neighbors);
    return success;
}

// As MPI_Cart_map: the order is kept.
Error graph_map(Communicator &comm, int nnodes, const int index[], const int edges[],
                int *newrank) {
    if (Error error = check_graph(comm, nnodes, index, edges))
        return error;
    *newrank = comm.rank < nnodes ? comm.rank : MPI_UNDEFINED;
    return success;
}

// A member only knows its own edges.
Error dist_graph_neighbors_count(Communicator &comm, int *indegree, int *outdegree, int *weighted) {
    const Adjacency *adjacency = nullptr;
    if (Error error = find_adjacency(comm, adjacency))
        return error;
    *indegree = static_cast<int>(adjacency->sources.size());
    *outdegree = static_cast<int>(adjacency->destinations.size());
    *weighted = adjacency->weighted;
    return success;
}

// Neighbours come in the order in which the program passed them.
Error dist_graph_neighbors(Communicator &comm, int maxindegree, int sources[], int sourceweights[],
                           int maxoutdegree, int destinations[], int destweights[]) {
    const Adjacency *adjacency = nullptr;
    if (Error error = find_adjacency(comm, adjacency))
        return error;
    if (Error error = copy_first("sources", adjacency->sources, maxindegree, sources))
        return error;
    if (Error error =
            copy_first("destinations", adjacency->destinations, maxoutdegree, destinations))
        return error;
    if (Error error =
            copy_first("sourceweights", adjacency->source_weights, maxindegree, sourceweights))
        return error;
    return copy_first("destweights", adjacency->destination_weights, maxoutdegree, destweights);
}

} // namespace thrum::mpi
