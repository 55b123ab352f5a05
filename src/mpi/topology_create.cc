// Creates communicators with a topology (MPI 5.0 sections 8.5.1, 8.5.3, 8.5.4 and 8.5.7). Ranks are
// never reordered; members of a grid or graph share one Topology.
//
// Each function is a create_together() (creation.h). Arguments that must be the same at all members
// are not sent, but compared by a digest of 64 bits. Edges of a general distributed graph travel in
// the proposals, since any rank may pass any edge.
#include "comm/hints.h"
#include "comm/topology.h"
#include "entry/calls.h"
#include "mpi/creation.h"
#include "mpi/topology_arguments.h"

#include <algorithm>
#include <numeric>

namespace thrum::mpi {
namespace {

// A hash of everything that must be the same at all members; the order of the values counts.
class Digest {
public:
    void add(long long number) { value_ = scramble(value_ ^ static_cast<uint64_t>(number)); }

    // The length is added, too: two lists of different lengths may not look like one.
    void add(int count, const int *numbers) {
        add(count);
        for (int i = 0; i < count; ++i)
            add(numbers[i]);
    }

    uint64_t value() const { return value_; }

    static uint64_t scramble(uint64_t x) { // the finalizer of splitmix64
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }

private:
    uint64_t value_ = 0;
};

// A member's arguments of a function that creates a topology.
struct TopologyProposal : Proposal {
    Digest same;   // of everything that all members must agree on
    int nodes = 0; // number of members of the new communicator

    void write(ByteWriter &to) const override {
        Proposal::write(to);
        to.number(same);
        to.number(nodes);
    }

    void read(ByteReader &from) override {
        Proposal::read(from);
        same = from.number<Digest>();
        nodes = from.number<int>();
    }

    Proposal *blank() const override { return new TopologyProposal; }
};

const TopologyProposal &of_topology(const Proposal *proposal) {
    return *static_cast<const TopologyProposal *>(proposal);
}

// Compares the proposals; `what` names the arguments in the error. Returns false, and records the
// error in a proposal, if the members do not agree.
bool agree(const Proposals &proposals, const char *what) {
    for (size_t i = 1; i < proposals.size(); ++i)
        if (of_topology(proposals[i]).same.value() != of_topology(proposals[0]).same.value()) {
            proposals[0]->error =
                fail(MPI_ERR_ARG, "ranks disagree: rank 0 and rank %zu pass different %s", i, what);
            return false;
        }
    return true;
}

// Assigns a communicator of these members, in this order, which share `topology`. Each local member
// gets a reference to it.
void assign_members(const Communicator &comm, const Proposals &proposals,
                    const std::vector<int> &members, Topology &topology) {
    std::vector<Process *> processes;
    for (int member : members)
        processes.push_back(&member_process(comm, member));
    Group *group = new_group(std::move(processes));
    Context *context = proposals.context(*group);
    for (size_t rank = 0; rank < members.size(); ++rank) {
        Proposal &proposal = *proposals[static_cast<size_t>(members[rank])];
        if (proposal.is_copy)
            continue;
        proposal.assign(context, *group, static_cast<int>(rank));
        proposal.topology = &topology;
        retain(topology);
    }
    release(*group);
}

// Gives the first `nodes` ranks a communicator with the topology that make() returns; the others
// get MPI_COMM_NULL. make() is called once (in each process).
template <class Make>
Error create_shared(Communicator &comm, TopologyProposal &mine, const char *what,
                    Collective collective, Make make, MPI_Comm *newcomm) MAY_SUSPEND {
    auto build = [&](const Proposals &proposals) {
        if (!agree(proposals, what) || mine.nodes == 0)
            return;
        std::vector<int> members(static_cast<size_t>(mine.nodes));
        std::iota(members.begin(), members.end(), 0);
        Topology *topology = make();
        assign_members(comm, proposals, members, *topology);
        release(*topology);
    };
    Error error = create_together(comm, mine, build, collective);
    if (!error)
        *newcomm = finish_creation(comm, mine);
    return error;
}

// Makes every true value 1, so that ranks that pass different true values agree.
std::vector<int> truth_values(int count, const int *flags) {
    std::vector<int> values;
    for (int i = 0; i < count; ++i)
        values.push_back(flags[i] != 0);
    return values;
}

// Returns the number of the subgrid of MPI_Cart_sub in which a rank is: its coordinates in the
// dropped dimensions, in row-major order.
int subgrid_of(const Grid &grid, const std::vector<int> &remain, int rank) {
    std::vector<int> coords(grid.dims.size());
    grid.coords_of(rank, coords.data());
    int number = 0;
    for (size_t d = 0; d < grid.dims.size(); ++d)
        if (!remain[d])
            number = number * grid.dims[d] + coords[d];
    return number;
}

// Makes one communicator for each subgrid. All subgrids have the same shape and share one topology.
void build_subgrids(const Communicator &comm, const Proposals &proposals,
                    const std::vector<int> &remain) {
    const Grid &grid = comm.topology->grid;
    Grid subgrid;
    int subgrids = 1;
    for (size_t d = 0; d < grid.dims.size(); ++d) {
        if (remain[d]) {
            subgrid.dims.push_back(grid.dims[d]);
            subgrid.periods.push_back(grid.periods[d]);
        } else {
            subgrids *= grid.dims[d];
        }
    }
    // Row-major order is kept: members of a subgrid are in rank order.
    std::vector<std::vector<int>> members(static_cast<size_t>(subgrids));
    for (int rank = 0; rank < comm.size; ++rank)
        members[static_cast<size_t>(subgrid_of(grid, remain, rank))].push_back(rank);
    auto *topology = new Topology(std::move(subgrid));
    for (const std::vector<int> &part : members)
        assign_members(comm, proposals, part, *topology);
    release(*topology);
}

// What one member passes for a distributed graph: a list of edges with or without weights. The
// pointers are the program's arrays, or those of `there`.
struct EdgeProposal : TopologyProposal {
    // For MPI_Dist_graph_create.
    int sources_count = 0;
    const int *sources = nullptr;
    const int *degrees = nullptr;
    const int *destinations = nullptr;
    const int *weights = nullptr;

    enum class Weights : uint8_t { Unknown, None, Given }; // Unknown: it has no edges
    Weights weighting = Weights::Unknown;
    bool passed_unweighted = false; // MPI_UNWEIGHTED was passed, although it has no edges

    // Set by the builder: whether the graph is weighted.
    bool weighted = false;

    std::vector<int> there[4]; // a copy's arrays, to which the pointers above point

    void write(ByteWriter &to) const override {
        TopologyProposal::write(to);
        to.number(weighting);
        to.number(passed_unweighted);
        // Wrong arguments must not be read: a degree might be negative.
        const bool lists = sources_count > 0 && !error;
        const auto n = static_cast<size_t>(lists ? sources_count : 0);
        const auto edges =
            static_cast<size_t>(lists ? std::accumulate(degrees, degrees + n, 0) : 0);
        const bool has_weights = weighting == Weights::Given;
        to.numbers(sources, n);
        to.numbers(degrees, n);
        to.numbers(destinations, edges);
        to.numbers(weights, has_weights ? edges : 0);
    }

    void read(ByteReader &from) override {
        TopologyProposal::read(from);
        weighting = from.number<Weights>();
        passed_unweighted = from.number<bool>();
        for (std::vector<int> &list : there)
            list = from.numbers();
        sources_count = static_cast<int>(there[0].size());
        sources = there[0].data();
        degrees = there[1].data();
        destinations = there[2].data();
        weights = there[3].data();
    }

    Proposal *blank() const override { return new EdgeProposal; }

    void set_weighting(bool given) { weighting = given ? Weights::Given : Weights::None; }
};

EdgeProposal &of_edges(Proposal *proposal) {
    return *static_cast<EdgeProposal *>(proposal);
}

// Section 8.5.4: "It is erroneous to supply MPI_UNWEIGHTED for some but not all MPI processes". A
// member without edges may pass either.
bool agree_on_weights(const Proposals &proposals) {
    const EdgeProposal *first = nullptr;
    bool all_unweighted = true;
    for (Proposal *proposal : proposals) {
        const EdgeProposal &edges = of_edges(proposal);
        all_unweighted = all_unweighted && edges.passed_unweighted;
        if (edges.weighting == EdgeProposal::Weights::Unknown)
            continue;
        if (first && first->weighting != edges.weighting) {
            proposals[0]->error = fail(MPI_ERR_ARG, "some ranks pass MPI_UNWEIGHTED, but not all");
            return false;
        }
        first = &edges;
    }
    bool weighted = first ? first->weighting == EdgeProposal::Weights::Given : !all_unweighted;
    for (Proposal *proposal : proposals)
        of_edges(proposal).weighted = weighted;
    return true;
}

// Checks a list of ranks; every entry must be a rank of the communicator.
Error check_neighbors(const Communicator &comm, const char *name, int count, const int *ranks) {
    if (count > 0 && !ranks)
        return arg::null_pointer(name);
    for (int i = 0; i < count; ++i)
        if (ranks[i] < 0 || ranks[i] >= comm.size)
            return fail(MPI_ERR_RANK, "%s[%d] is %d, but the communicator has %d rank%s", name, i,
                        ranks[i], comm.size, comm.size == 1 ? "" : "s");
    return success;
}

// MPI_WEIGHTS_EMPTY is only valid without edges.
Error check_weights(const char *name, int count, const int *weights) {
    if (count == 0 || weights == MPI_UNWEIGHTED)
        return success;
    if (!weights || weights == MPI_WEIGHTS_EMPTY)
        return fail(MPI_ERR_ARG, "%s is %s, but there are %d edges", name,
                    weights ? "MPI_WEIGHTS_EMPTY" : "a null pointer", count);
    for (int i = 0; i < count; ++i)
        if (weights[i] < 0)
            return fail(MPI_ERR_ARG, "%s[%d] is %d, but must not be negative", name, i, weights[i]);
    return success;
}

Error check_intra(const Communicator &comm) {
    return comm.inter ? fail(MPI_ERR_COMM, "comm_old is an inter-communicator") : success;
}

// Checks the degrees before the destinations, because the sum of the degrees is the length of the
// list of destinations.
Error check_edge_lists(const Communicator &comm, const EdgeProposal &mine, const int *weights) {
    const int n = mine.sources_count;
    if (Error error = check_intra(comm))
        return error;
    if (Error error = check_neighbors(comm, "sources", n, mine.sources))
        return error;
    if (n > 0 && !mine.degrees)
        return arg::null_pointer("degrees");
    long long edges = 0;
    for (int i = 0; i < n; ++i) {
        if (mine.degrees[i] < 0)
            return fail(MPI_ERR_ARG, "degrees[%d] is %d, but must not be negative", i,
                        mine.degrees[i]);
        edges += mine.degrees[i];
    }
    if (edges > INT32_MAX)
        return fail(MPI_ERR_ARG, "degrees have a sum of %lld, which is more than an int can hold",
                    edges);
    if (Error error =
            check_neighbors(comm, "destinations", static_cast<int>(edges), mine.destinations))
        return error;
    return check_weights("weights", static_cast<int>(edges), weights);
}

// Calls use(source, destination, index of the edge) for all edges that a member passes.
template <class Use>
void for_each_edge(const EdgeProposal &edges, Use use) {
    size_t k = 0;
    for (int i = 0; i < edges.sources_count; ++i)
        for (int j = 0; j < edges.degrees[i]; ++j, ++k)
            use(edges.sources[i], edges.destinations[k], k);
}

// Appends each edge at both of its ends, member by member. So several edges from one process to
// another have the same order at both.
void build_distributed_graph(const Communicator &comm, const Proposals &proposals) {
    if (!agree(proposals, "reorder or info") || !agree_on_weights(proposals))
        return;
    const bool weighted = of_edges(proposals[0]).weighted;
    // Built for all members, also remote ones: an edge may be passed by any member. This costs
    // memory for all edges in each process.
    std::vector<Adjacency> all(proposals.size());
    for (Adjacency &adjacency : all)
        adjacency.weighted = weighted;
    for (Proposal *proposal : proposals) {
        const EdgeProposal &edges = of_edges(proposal);
        for_each_edge(edges, [&](int source, int destination, size_t k) {
            Adjacency &from = all[static_cast<size_t>(source)];
            Adjacency &to = all[static_cast<size_t>(destination)];
            from.destinations.push_back(destination);
            to.sources.push_back(source);
            if (weighted) {
                from.destination_weights.push_back(edges.weights[k]);
                to.source_weights.push_back(edges.weights[k]);
            }
        });
    }
    Context *context = proposals.context(*comm.group);
    for (size_t rank = 0; rank < proposals.size(); ++rank) {
        if (proposals[rank]->is_copy)
            continue;
        proposals[rank]->assign(context, *comm.group, static_cast<int>(rank));
        proposals[rank]->topology = new Topology(std::move(all[rank]));
    }
}

// Accepts edges that only one of their ends passes, like all MPIs, although section 8.5.4 requires
// both: programs make such graphs to find their own neighbours.
void build_adjacent(const Communicator &comm, const Proposals &proposals) {
    if (!agree(proposals, "reorder or info") || !agree_on_weights(proposals))
        return;
    Context *context = proposals.context(*comm.group);
    for (size_t rank = 0; rank < proposals.size(); ++rank)
        proposals[rank]->assign(context, *comm.group, static_cast<int>(rank));
}

// Adds hints to the digest, sorted: they must be the same at all members, in any order.
void agree_on_info(const Info *info, Digest &digest) {
    std::vector<std::pair<std::string, std::string>> entries;
    if (info)
        entries = info->entries;
    std::sort(entries.begin(), entries.end());
    for (const auto &[key, value] : entries)
        for (char c : key + '=' + value + '\n')
            digest.add(c);
}

// Makes the member's communicator, with the hints of the call.
MPI_Comm finish_graph(Communicator &comm, Proposal &mine, const Info *info) {
    MPI_Comm made = finish_creation(comm, mine);
    take_hints(made->info, info);
    return made;
}

} // namespace

// Only an inter-communicator is an error at once, since all its members see it. Other errors travel
// in the proposal: the other members already wait for this one.
Error cart_create(Communicator &comm_old, int ndims, const int dims[], const int periods[],
                  int reorder, MPI_Comm *comm_cart) {
    TopologyProposal mine;
    if (comm_old.inter)
        return fail(MPI_ERR_COMM, "comm_old is an inter-communicator");
    mine.error = check_grid(comm_old, ndims, dims, periods, mine.nodes);
    std::vector<int> periodic;
    if (!mine.error) {
        periodic = truth_values(ndims, periods);
        mine.same.add(ndims, dims);
        mine.same.add(ndims, periodic.data());
        mine.same.add(reorder != 0);
    }
    auto make = [&] {
        return new Topology(Grid{{dims, dims + ndims}, std::move(periodic)});
    };
    return create_shared(comm_old, mine, "ndims, dims, periods or reorder", Collective::CartCreate,
                         make, comm_cart);
}

// The subgrids of all dropped coordinates are made at once: each member finds its own.
Error cart_sub(Communicator &comm, const int remain_dims[], MPI_Comm *newcomm) {
    if (!comm.topology || comm.topology->kind != Topology::Kind::Cartesian)
        return fail(MPI_ERR_TOPOLOGY, "comm is %s, which has no Cartesian topology",
                    *comm.name ? comm.name : "a communicator");
    const int ndims = comm.topology->grid.dimensions();
    TopologyProposal mine;
    std::vector<int> remain;
    if (ndims > 0 && !remain_dims)
        mine.error = arg::null_pointer("remain_dims");
    else
        remain = truth_values(ndims, remain_dims);
    mine.same.add(static_cast<int>(remain.size()), remain.data());
    auto build = [&](const Proposals &proposals) {
        if (agree(proposals, "remain_dims"))
            build_subgrids(comm, proposals, remain);
    };
    Error error = create_together(comm, mine, build, Collective::CartSub);
    if (!error)
        *newcomm = finish_creation(comm, mine);
    return error;
}

// Edges are not sent: all members pass the same ones, and compare digests.
Error graph_create(Communicator &comm_old, int nnodes, const int index[], const int edges[],
                   int reorder, MPI_Comm *comm_graph) {
    TopologyProposal mine;
    if (comm_old.inter)
        return fail(MPI_ERR_COMM, "comm_old is an inter-communicator");
    mine.error = check_graph(comm_old, nnodes, index, edges);
    mine.nodes = nnodes;
    // Wrong arguments must not be read.
    const int edge_count = mine.error || nnodes == 0 ? 0 : index[nnodes - 1];
    if (!mine.error) {
        mine.same.add(nnodes, index);
        mine.same.add(edge_count, edges);
        mine.same.add(reorder != 0);
    }
    auto make = [&] {
        return new Topology(Graph{{index, index + nnodes}, {edges, edges + edge_count}});
    };
    return create_shared(comm_old, mine, "nnodes, index, edges or reorder", Collective::GraphCreate,
                         make, comm_graph);
}

// A member may pass edges of other members, or none.
Error dist_graph_create(Communicator &comm_old, int n, const int sources[], const int degrees[],
                        const int destinations[], const int weights[], Info *info, int reorder,
                        MPI_Comm *comm_dist_graph) {
    EdgeProposal mine;
    mine.sources_count = n;
    mine.sources = sources;
    mine.degrees = degrees;
    mine.destinations = destinations;
    mine.weights = weights;
    mine.error = check_edge_lists(comm_old, mine, weights);
    if (comm_old.inter)
        return mine.error;
    mine.passed_unweighted = weights == MPI_UNWEIGHTED;
    if (!mine.error && std::accumulate(degrees, degrees + n, 0) > 0)
        mine.set_weighting(weights != MPI_UNWEIGHTED);
    mine.same.add(reorder != 0);
    agree_on_info(info, mine.same);
    auto build = [&](const Proposals &proposals) {
        build_distributed_graph(comm_old, proposals);
    };
    Error error = create_together(comm_old, mine, build, Collective::DistGraphCreate);
    if (!error)
        *comm_dist_graph = finish_graph(comm_old, mine, info);
    return error;
}

// Needs no exchange of edges: each rank passes its own neighbours. The ranks only agree on reorder,
// info, and whether the graph is weighted.
Error dist_graph_create_adjacent(Communicator &comm_old, int indegree, const int sources[],
                                 const int sourceweights[], int outdegree, const int destinations[],
                                 const int destweights[], Info *info, int reorder,
                                 MPI_Comm *comm_dist_graph) {
    EdgeProposal mine;
    if (Error error = check_intra(comm_old))
        return error;
    auto check = [&]() -> Error {
        if (indegree < 0 || outdegree < 0)
            return fail(MPI_ERR_ARG, "%s is %d, but must not be negative",
                        indegree < 0 ? "indegree" : "outdegree", std::min(indegree, outdegree));
        if (Error error = check_neighbors(comm_old, "sources", indegree, sources))
            return error;
        if (Error error = check_neighbors(comm_old, "destinations", outdegree, destinations))
            return error;
        if (Error error = check_weights("sourceweights", indegree, sourceweights))
            return error;
        if (Error error = check_weights("destweights", outdegree, destweights))
            return error;
        if (indegree > 0 && outdegree > 0 &&
            (sourceweights == MPI_UNWEIGHTED) != (destweights == MPI_UNWEIGHTED))
            return fail(MPI_ERR_ARG, "one of sourceweights and destweights is MPI_UNWEIGHTED, the "
                                     "other is not");
        return success;
    };
    mine.error = check();
    mine.passed_unweighted = sourceweights == MPI_UNWEIGHTED && destweights == MPI_UNWEIGHTED;
    if (!mine.error) {
        if (indegree > 0)
            mine.set_weighting(sourceweights != MPI_UNWEIGHTED);
        else if (outdegree > 0)
            mine.set_weighting(destweights != MPI_UNWEIGHTED);
    }
    mine.same.add(reorder != 0);
    agree_on_info(info, mine.same);
    auto build = [&](const Proposals &proposals) {
        build_adjacent(comm_old, proposals);
    };
    if (Error error = create_together(comm_old, mine, build, Collective::DistGraphCreateAdjacent))
        return error;
    Adjacency adjacency;
    adjacency.weighted = mine.weighted;
    if (indegree > 0)
        adjacency.sources.assign(sources, sources + indegree);
    if (outdegree > 0)
        adjacency.destinations.assign(destinations, destinations + outdegree);
    if (mine.weighted && indegree > 0)
        adjacency.source_weights.assign(sourceweights, sourceweights + indegree);
    if (mine.weighted && outdegree > 0)
        adjacency.destination_weights.assign(destweights, destweights + outdegree);
    mine.topology = new Topology(std::move(adjacency));
    *comm_dist_graph = finish_graph(comm_old, mine, info);
    return success;
}

} // namespace thrum::mpi
