// How packets travel between the processes of a communicator: along trees, and through one process
// of each node, so that few packets cross between nodes.
#pragma once
#include "exchange/process_part.h"

#include <span>
#include <vector>

namespace thrum {

// A tree over a list of processes. Every subtree is a run of neighbours in the list, and any
// process may be the root. Ranges are cut in halves, between two nodes (machines) as long as there
// are several. The depth is about the logarithm of the number of processes. If the processes of a
// node are neighbours, there is one edge between nodes less than there are nodes.
struct Tree {
    struct Branch {
        int root;       // position in the list
        int first, end; // the run of its subtree
    };

    int parent = -1;              // position; -1: the root
    std::vector<Branch> children; // from the largest to the smallest

    // `nodes` gives the node of each position in the list.
    Tree(int position, int root, std::span<const int> nodes);
};

// Returns the node of each process of `list`.
std::vector<int> nodes_of(const ProcessPart &part, const std::vector<int> &list);
// Returns the list with the processes of each node next to each other, for operations that need no
// order.
std::vector<int> grouped_by_node(const ProcessPart &part, const std::vector<int> &list);

// Returns the position of process `index` in `list`; -1: none.
int position_in(const std::vector<int> &list, int index);

// Forwards the `packet` of the process at position `root` to all processes of the list, of which
// this is one.
Flow spread(ProcessPart &part, const std::vector<int> &list, int root,
            SharedBytes &packet) MAY_SUSPEND;

// Collects one packet, `mine`, from each process of `list` at the process with index `root`, where
// they are in `packets`, in the order of the list. One process of each other node collects those of
// its node, so only (nodes - 1) packets cross between nodes.
Flow collect_at(ProcessPart &part, const std::vector<int> &list, int root, SharedBytes mine,
                std::vector<SharedBytes> &packets) MAY_SUSPEND;
// Does the reverse: each process of `list` receives its own one of the root's `packets` as `mine`.
Flow deal_from(ProcessPart &part, const std::vector<int> &list, int root,
               const std::vector<SharedBytes> &packets, SharedBytes &mine) MAY_SUSPEND;

// Returns all processes of the communicator, in the order of the span.
std::vector<int> all_processes(const ProcessPart &part);

// Collects one packet of each process at all processes.
Flow collect_packets(ProcessPart &part, const SharedBytes &mine,
                     std::vector<SharedBytes> &packets) MAY_SUSPEND;

// Exchanges bytes that each process gives and all get, in the order of the span, to create
// communicators, windows and so on. Members of this process meet first. The last one calls
// give(argument, packet); then all packets are exchanged, and take(argument, packets) is called
// before any member continues. `arguments` are by local member, on the members' stacks.
struct Assent {
    SharedBytes (*give)(void *const *arguments, Communicator &comm);
    void (*take)(void *const *arguments, Communicator &comm,
                 const std::vector<SharedBytes> &packets);
};

// Returns an error if the members disagree on the operation, or if a process is lost; then take()
// was not called.
Error exchange_together(Communicator &comm, void *argument, const Assent &assent,
                        Collective collective) MAY_SUSPEND;
} // namespace thrum
