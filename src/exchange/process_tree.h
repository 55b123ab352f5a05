// How packets travel between the processes of a communicator: along trees and through one process
// of each node, so that few packets go from node to node.
#pragma once
#include "exchange/process_part.h"

#include <span>
#include <vector>

namespace thrum {

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
std::vector<int> nodes_of(const ProcessPart &part, const std::vector<int> &list);
// The list with the processes of each node behind one another, for operations that need no order.
std::vector<int> grouped_by_node(const ProcessPart &part, const std::vector<int> &list);

// Position of process `index` in `list`; -1: none.
int position_in(const std::vector<int> &list, int index);

// Hands `packet` of the process at position `root` on to all processes of the list, of which this
// is one.
Flow spread(ProcessPart &part, const std::vector<int> &list, int root, Packet &packet) MAY_SUSPEND;

// To the process with index `root`, of each process of `list` a packet, `mine`: `packets` there, in
// the order of the list. One process of each other node collects those of its node: (nodes - 1)
// packets go from node to node.
Flow collect_at(ProcessPart &part, const std::vector<int> &list, int root, Packet mine,
                std::vector<Packet> &packets) MAY_SUSPEND;
// The other way: each process of `list` receives the one of the root's `packets` that is its own as
// `mine`.
Flow deal_from(ProcessPart &part, const std::vector<int> &list, int root,
               const std::vector<Packet> &packets, Packet &mine) MAY_SUSPEND;

// All processes of the communicator, in the order of the span.
std::vector<int> all_processes(const ProcessPart &part);

// All packets of the processes, each of which gives one.
Flow collect_packets(ProcessPart &part, const Packet &mine,
                     std::vector<Packet> &packets) MAY_SUSPEND;

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
} // namespace thrum
