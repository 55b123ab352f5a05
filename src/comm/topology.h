// Topology (MPI 5.0 chapter 8): which processes of a communicator are neighbours. It is immutable
// and reference-counted: the members of a Cartesian or graph communicator and their duplicates
// share one object. Ranks are never reordered, which the standard allows.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"

#include <atomic>
#include <vector>

namespace thrum {

// A Cartesian structure. Processes are numbered in row-major order (section 8.2).
struct Grid {
    std::vector<int> dims;
    std::vector<int> periods; // 0 or 1

    int dimensions() const { return static_cast<int>(dims.size()); }

    // Returns the rank at these coordinates, which must be inside the grid, or in a periodic
    // dimension.
    int rank_of(const int *coords) const;
    void coords_of(int rank, int *coords) const; // writes dimensions() coordinates

    // Returns the rank at distance `steps` from `rank` along dimension `direction`, or
    // MPI_PROC_NULL.
    int shifted(int rank, int direction, long long steps) const;
};

// The arguments of MPI_Graph_create: the neighbours of node i are edges[index[i - 1]] to
// edges[index[i] - 1], with index[-1] = 0.
struct Graph {
    std::vector<int> index;
    std::vector<int> edges;

    // Return where the edges of a node begin in `edges`, and how many there are.
    int begin_of(int node) const { return node == 0 ? 0 : index[static_cast<size_t>(node) - 1]; }

    int degree_of(int node) const { return index[static_cast<size_t>(node)] - begin_of(node); }
};

// The edges of one process in a distributed graph. Weights are empty if the graph is unweighted.
struct Adjacency {
    bool weighted = false;
    std::vector<int> sources, source_weights;
    std::vector<int> destinations, destination_weights;
};

// A topology of one kind. Shared objects are read by all members; nobody writes.
struct Topology {
    enum class Kind : uint8_t { Cartesian, Graph, DistributedGraph };
    Kind kind;
    Grid grid;           // Kind::Cartesian
    Graph graph;         // Kind::Graph
    Adjacency adjacency; // Kind::DistributedGraph: of the member that owns this object
    std::atomic<int> references{1};

    explicit Topology(Grid of) : kind(Kind::Cartesian), grid(std::move(of)) {}

    explicit Topology(Graph of) : kind(Kind::Graph), graph(std::move(of)) {}

    explicit Topology(Adjacency of) : kind(Kind::DistributedGraph), adjacency(std::move(of)) {}
};

// Add and drop a reference. The last release() frees the topology.
void retain(Topology &topology);
void release(Topology &topology);

// The neighbours of the calling member in the order of the buffers of a neighbourhood collective
// (section 8.6). A neighbour may occur several times, be the process itself or MPI_PROC_NULL.
// Refers to the topology, which must outlive it.
class Neighbors {
public:
    explicit Neighbors(const Communicator &comm); // `comm` must have a topology

    // The lists, by index; lengths are indegree() and outdegree().
    int indegree() const { return indegree_; }

    int outdegree() const { return outdegree_; }

    int source(int i) const { return sources_[i]; }

    int destination(int i) const { return destinations_[i]; }

    // Returns which source to receive from first, second and so on: messages of one source arrive
    // in the order of its destinations. In a grid, the neighbour in the negative direction sends
    // this process what belongs to its own positive direction, and both neighbours may be the same
    // process.
    int order_of_receiving(int i) const { return grid_ ? i ^ 1 : i; }

private:
    bool grid_ = false;
    std::vector<int> computed_; // for a grid: sources and destinations
    const int *sources_ = nullptr;
    const int *destinations_ = nullptr;
    int indegree_ = 0;
    int outdegree_ = 0;
};

// Implements MPI_Dims_create (section 8.5.2): replaces the `free` zero entries of `dims` by
// divisors of `nodes` with product `nodes`, in non-increasing order and as close to each other as
// possible. The difference between the largest and the smallest is minimal and, among equals, their
// sum.
void balance_dims(int nodes, int free, int ndims, int *dims);

} // namespace thrum
