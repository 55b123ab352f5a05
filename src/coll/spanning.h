// Collective operations of communicators that span node processes (docs/between_processes.md): the
// members of this process, all of whom have come, and what is done in their name.
//
//   spanning_collective()     blocking: members meet, the last one runs the flow
//   begin_spanning()          the other forms: the last member's call starts the flow
//     -> spanning_flow()      by operation: spanning_movement.cc, spanning_reduction.cc
//
// Invariants
// 1. All processes do the same for the n-th call of a communicator, whatever the order in which
//    packets arrive.
// 2. Members' buffers are touched from the last member's arrival to the flow's end.
#pragma once
#include "coll/collective_call.h"
#include "coll/exchange.h"
#include "coll/packed.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thrum {

// A member of this process in an operation. Lives until the flow has ended.
struct Participant {
    const CollectiveCall *call = nullptr;
    Communicator *comm = nullptr; // the member's own
    // What went wrong for it: a class and a sentence; 0: nothing.
    int code = 0;
    std::string sentence;

    [[gnu::format(printf, 3, 4)]] void blame(int code, const char *format, ...);
    Error error() const; // made in the member's own thread
};

// Of this process in a barrier at the gate of its node (coll/node_gate.h).
struct GateArrival {
    Door *door = nullptr; // at which it waits; nullptr: there is no gate
    uint32_t before = 0;
    bool is_over = false; // it need not wait any more
    bool leads = false;   // it has to open the gate for others

    bool passed() const { return is_over && !leads; }
};

// The operation as this process sees it.
struct Joint {
    Joint(Communicator &comm, int number, bool blocking, std::vector<Participant *> participants);

    Exchange exchange;
    std::vector<Participant *> locals; // by local member (comm/span.h)
    const ProcessMap &span;
    bool inter;
    int side_size[2];
    GateArrival arrival;
    size_t runner; // the local member whose call runs the flow, or began it

    const CollectiveCall &call(size_t local) const { return *locals[local]->call; }

    Collective collective() const { return call(0).collective; }

    int side_of(size_t local) const { return span.local_side[local]; }

    int rank_of(size_t local) const { return locals[local]->comm->rank; }

    // Where rank `rank` of side `side` is.
    int index_of(int side, int rank) const {
        return span.index_of[static_cast<size_t>(side ? side_size[0] + rank : rank)];
    }

    // Ranks of side `side` in the process with this index, ascending.
    std::vector<int> ranks_at(int index, int side) const;

    // Everybody here has done something wrong, or has nothing because somebody else has.
    void blame_all(int code, const char *sentence);
};

// Tree over a list of processes: every subtree is a run of neighbours in the list, and any of them
// may be the root. Ranges are halved, between two nodes (machines) as long as there are several:
// the depth is about the logarithm, the edges are one less than processes, and where the processes
// of a node are neighbours, those between nodes are one less than nodes.
struct Tree {
    struct Branch {
        int root;       // position in the list
        int first, end; // its run
    };

    int parent = -1;              // position; -1: the root
    std::vector<Branch> children; // from the largest to the smallest

    // `nodes`: by position in the list, the node that each is on.
    Tree(int position, int root, std::span<const int> nodes);
};

// The node that each process of `list` is on.
std::vector<int> nodes_of(const Joint &joint, const std::vector<int> &list);
// The list with the processes of each node behind one another, for operations that need no order.
std::vector<int> grouped_by_node(const Joint &joint, const std::vector<int> &list);

// Position of process `index` in `list`; -1: none.
int position_in(const std::vector<int> &list, int index);

// Hands `packet` of the process at position `root` on to all processes of the list, of which this
// is one.
Flow spread(Joint &joint, const std::vector<int> &list, int root, Packet &packet);

// To the process with index `root`, of each process of `list` a packet, `mine`: `packets` there, in
// the order of the list. One process of each other node collects those of its node: (nodes - 1)
// packets go from node to node.
Flow collect_at(Joint &joint, const std::vector<int> &list, int root, Packet mine,
                std::vector<Packet> &packets);
// The other way: each process of `list` receives the one of the root's `packets` that is its own as
// `mine`.
Flow deal_from(Joint &joint, const std::vector<int> &list, int root,
               const std::vector<Packet> &packets, Packet &mine);

Flow spanning_barrier(Joint &joint);
Flow spanning_context_id(Joint &joint); // everybody receives a new context id
Flow spanning_bcast(Joint &joint);
Flow spanning_gather(Joint &joint);
Flow spanning_scatter(Joint &joint);
Flow spanning_allgather(Joint &joint);
Flow spanning_alltoall(Joint &joint);
Flow spanning_reduce(Joint &joint);    // MPI_Reduce
Flow spanning_allreduce(Joint &joint); // and MPI_Reduce_scatter(_block)
Flow spanning_scan(Joint &joint);      // and MPI_Exscan

// The one of them that does the operation.
Flow spanning_flow(Joint &joint);

// The blocking form.
Error spanning_collective(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND;

// Bytes that each process gives and all get, in the order of the span: for the making of
// communicators, windows ... Members of this process meet first; the last to come calls
// give(argument, packet), then all packets are exchanged, and take(argument, packets) is called
// before anybody goes on. `arguments` by local member.
struct Assent {
    Packet (*give)(void *const *arguments, Communicator &comm);
    void (*take)(void *const *arguments, Communicator &comm, const std::vector<Packet> &packets);
};

Error exchange_together(Communicator &comm, void *argument, const Assent &assent,
                        Collective collective) MAY_SUSPEND;
// All packets of the processes, each of which gives one.
Flow collect_packets(Joint &joint, const Packet &mine, std::vector<Packet> &packets);

// The number of the calling member's next blocking operation. The others have a bit above it
// (spanning_request.cc).
inline constexpr int spanning_number_mask = (1 << 29) - 1;
int next_spanning_number(Communicator &comm);

} // namespace thrum
