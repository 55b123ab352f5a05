// Grids: ranks and coordinates in row-major order. And the lists of neighbours of all kinds of
// topologies, in the order of section 8.6.
#include "comm/topology.h"

#include "base/check.h"

namespace thrum {

// Brings coordinates of periodic dimensions into range.
int Grid::rank_of(const int *coords) const {
    int rank = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
        int coord = coords[i] % dims[i];
        rank = rank * dims[i] + (coord < 0 ? coord + dims[i] : coord);
    }
    return rank;
}

void Grid::coords_of(int rank, int *coords) const {
    for (size_t i = dims.size(); i-- > 0;) {
        coords[i] = rank % dims[i];
        rank /= dims[i];
    }
}

// Moves along one dimension. C's remainder is negative for negative steps, so it is corrected.
int Grid::shifted(int rank, int direction, long long steps) const {
    auto d = static_cast<size_t>(direction);
    int stride = 1; // distance of neighbours along this dimension
    for (size_t i = d + 1; i < dims.size(); ++i)
        stride *= dims[i];
    int coord = rank / stride % dims[d];
    long long moved = coord + steps;
    if (moved < 0 || moved >= dims[d]) {
        if (!periods[d])
            return MPI_PROC_NULL;
        moved %= dims[d];
        if (moved < 0)
            moved += dims[d];
    }
    return rank + (static_cast<int>(moved) - coord) * stride;
}

void retain(Topology &topology) {
    topology.references.fetch_add(1, std::memory_order_relaxed);
}

void release(Topology &topology) {
    // acq_rel [topology-1]: the last reference frees after everybody's use.
    if (topology.references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete &topology;
}

// The neighbours of a grid are computed here; those of graphs are in the topology already.
Neighbors::Neighbors(const Communicator &comm) {
    const Topology &topology = *comm.topology;
    switch (topology.kind) {
    case Topology::Kind::Cartesian:
        grid_ = true;
        indegree_ = outdegree_ = 2 * topology.grid.dimensions();
        computed_.reserve(static_cast<size_t>(indegree_));
        for (int d = 0; d < topology.grid.dimensions(); ++d) {
            computed_.push_back(topology.grid.shifted(comm.rank, d, -1));
            computed_.push_back(topology.grid.shifted(comm.rank, d, 1));
        }
        sources_ = destinations_ = computed_.data();
        return;
    case Topology::Kind::Graph:
        indegree_ = outdegree_ = topology.graph.degree_of(comm.rank);
        sources_ = destinations_ = topology.graph.edges.data() + topology.graph.begin_of(comm.rank);
        return;
    case Topology::Kind::DistributedGraph:
        indegree_ = static_cast<int>(topology.adjacency.sources.size());
        outdegree_ = static_cast<int>(topology.adjacency.destinations.size());
        sources_ = topology.adjacency.sources.data();
        destinations_ = topology.adjacency.destinations.data();
        return;
    }
}

} // namespace thrum
