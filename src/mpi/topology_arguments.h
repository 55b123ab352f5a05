// Checks of the arguments that describe a grid or a graph (MPI 5.0 sections 8.5.1 and 8.5.3).
#pragma once
#include "entry/argument.h"

namespace thrum::mpi {

// Checks a grid. `nodes` becomes its number of processes; comm must have that many. Stops at the
// first product that is too large, so the product cannot overflow.
inline Error check_grid(const Communicator &comm, int ndims, const int *dims, const int *periods,
                        int &nodes) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "the communicator is an inter-communicator");
    if (ndims < 0)
        return fail(MPI_ERR_DIMS, "ndims is %d, but must not be negative", ndims);
    if (ndims > 0 && (!dims || !periods))
        return arg::null_pointer(dims ? "periods" : "dims");
    long long product = 1;
    for (int i = 0; i < ndims; ++i) {
        if (dims[i] < 1)
            return fail(MPI_ERR_DIMS, "dims[%d] is %d, but must be at least 1", i, dims[i]);
        product *= dims[i];
        if (product > comm.size)
            return fail(MPI_ERR_DIMS,
                        "the grid is too large: dims[0] to dims[%d] have a product of %lld, but "
                        "the communicator has %d rank%s",
                        i, product, comm.size, comm.size == 1 ? "" : "s");
    }
    nodes = static_cast<int>(product);
    return success;
}

// Checks a graph in the form of MPI_Graph_create: index[i] is the number of edges of nodes 0 to i.
inline Error check_graph(const Communicator &comm, int nnodes, const int *index, const int *edges) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "the communicator is an inter-communicator");
    if (nnodes < 0 || nnodes > comm.size)
        return fail(MPI_ERR_ARG, "nnodes is %d, but the communicator has %d rank%s", nnodes,
                    comm.size, comm.size == 1 ? "" : "s");
    if (nnodes > 0 && !index)
        return arg::null_pointer("index");
    for (int i = 0; i < nnodes; ++i)
        if (index[i] < (i == 0 ? 0 : index[i - 1]))
            return fail(MPI_ERR_ARG, "index[%d] is %d, but must not be less than %s%d", i, index[i],
                        i == 0 ? "" : "the entry before, ", i == 0 ? 0 : index[i - 1]);
    const int edge_count = nnodes == 0 ? 0 : index[nnodes - 1];
    if (edge_count > 0 && !edges)
        return arg::null_pointer("edges");
    for (int i = 0; i < edge_count; ++i)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return fail(MPI_ERR_ARG, "edges[%d] is %d, but the graph has %d nodes", i, edges[i],
                        nnodes);
    return success;
}

} // namespace thrum::mpi
