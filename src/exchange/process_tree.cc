// Trees over processes, and relays through one process of each node.
#include "exchange/process_tree.h"

#include "wireup/wireup.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

// Returns where to cut a range of positions: in the middle, or at the nearest boundary between two
// nodes.
int cut(int first, int end, std::span<const int> nodes) {
    const int middle = first + (end - first) / 2;
    for (int distance = 0; distance < end - first; ++distance)
        for (int at : {middle - distance, middle + distance})
            if (at > first && at < end &&
                nodes[static_cast<size_t>(at) - 1] != nodes[static_cast<size_t>(at)])
                return at;
    return middle;
}

} // namespace

// Cuts the range in two until this process is alone. The half without the root gets a root of its
// own, next to the cut, which becomes a child of the root. So every subtree stays a run of
// neighbours.
Tree::Tree(int position, int root, std::span<const int> nodes) {
    int first = 0, end = static_cast<int>(nodes.size());
    while (end - first > 1) {
        const int middle = cut(first, end, nodes);
        const bool root_is_left = root < middle;
        Branch own{root, first, end}, other{root, first, end};
        (root_is_left ? own.end : own.first) = middle;
        (root_is_left ? other.first : other.end) = middle;
        // The position in the other run that borders on the root's run.
        other.root = root_is_left ? middle : middle - 1;
        const bool in_other = position >= other.first && position < other.end;
        if (position == root)
            children.push_back(other);
        else if (position == other.root)
            parent = root;
        const Branch &next = in_other ? other : own;
        first = next.first;
        end = next.end;
        root = next.root;
    }
}

std::vector<int> nodes_of(const ProcessPart &part, const std::vector<int> &list) {
    std::vector<int> nodes;
    nodes.reserve(list.size());
    for (int index : list)
        nodes.push_back(node_of(part.span.processes[static_cast<size_t>(index)]));
    return nodes;
}

std::vector<int> grouped_by_node(const ProcessPart &part, const std::vector<int> &list) {
    const std::vector<int> nodes = nodes_of(part, list);
    if (std::ranges::all_of(nodes, [&](int node) { return node == nodes[0]; }))
        return list;
    std::vector<int> order, grouped; // nodes in the order of their first processes
    for (int node : nodes)
        if (position_in(order, node) < 0)
            order.push_back(node);
    grouped.reserve(list.size());
    for (int node : order)
        for (size_t i = 0; i < list.size(); ++i)
            if (nodes[i] == node)
                grouped.push_back(list[i]);
    return grouped;
}

int position_in(const std::vector<int> &list, int index) {
    auto found = std::find(list.begin(), list.end(), index);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

Flow spread(ProcessPart &part, const std::vector<int> &given, int root, SharedBytes &packet) {
    const std::vector<int> list = grouped_by_node(part, given);
    const Tree tree(position_in(list, part.span.here),
                    position_in(list, given[static_cast<size_t>(root)]), nodes_of(part, list));
    if (tree.parent >= 0)
        packet = co_await part.exchange.receive(list[static_cast<size_t>(tree.parent)]);
    for (const Tree::Branch &child : tree.children)
        part.exchange.send(list[static_cast<size_t>(child.root)], packet);
}

std::vector<int> all_processes(const ProcessPart &part) {
    std::vector<int> list;
    for (int index = 0; index < part.span.count(); ++index)
        list.push_back(index);
    return list;
}

namespace {

// How packets of the listed processes reach a root or come from it: through one process of each
// node.
struct Relay {
    struct Node {
        int leader;               // the root, on its own node
        std::vector<int> members; // positions in the list
    };

    const std::vector<int> &list;
    int root;
    std::vector<Node> nodes;
    const Node *own = nullptr; // the node of this process; nullptr: it is not in the list

    Relay(const ProcessPart &part, const std::vector<int> &the_list, int the_root)
        : list(the_list), root(the_root) {
        const std::vector<int> node_numbers = nodes_of(part, list);
        const int root_node = nodes_of(part, {root})[0];
        std::vector<int> order;
        for (size_t i = 0; i < list.size(); ++i) {
            int at = position_in(order, node_numbers[i]);
            if (at < 0) {
                at = static_cast<int>(order.size());
                order.push_back(node_numbers[i]);
                nodes.push_back({node_numbers[i] == root_node ? root : list[i], {}});
            }
            nodes[static_cast<size_t>(at)].members.push_back(static_cast<int>(i));
        }
        for (const Node &node : nodes)
            for (int member : node.members)
                if (process(member) == part.span.here)
                    own = &node;
    }

    int process(int position) const { return list[static_cast<size_t>(position)]; }
};

// Joins several packets into one, each preceded by its length. A single packet stays as it is.
SharedBytes wrap(const std::vector<SharedBytes> &packets) {
    if (packets.size() == 1)
        return packets[0];
    size_t size_bytes = 0;
    for (const SharedBytes &packet : packets)
        size_bytes += sizeof(uint64_t) + packet.size_bytes();
    SharedBytes all = SharedBytes::of_size(size_bytes);
    char *to = all.data();
    for (const SharedBytes &packet : packets) {
        const uint64_t length = packet.size_bytes();
        std::memcpy(to, &length, sizeof length);
        std::memcpy(to + sizeof length, packet.data(), length);
        to += sizeof length + length;
    }
    return all;
}

// Undoes wrap(): `count` packets, each preceded by its length.
std::vector<SharedBytes> unwrap(const SharedBytes &all, size_t count) {
    if (count == 1)
        return {all};
    std::vector<SharedBytes> packets;
    const char *from = all.data();
    for (size_t i = 0; i < count; ++i) {
        uint64_t length;
        std::memcpy(&length, from, sizeof length);
        packets.push_back(SharedBytes::of_size(length));
        std::memcpy(packets.back().data(), from + sizeof length, length);
        from += sizeof length + length;
    }
    return packets;
}

} // namespace

// Three roles: the root receives from its own node directly and from one leader of each other node;
// a leader gathers its node's packets into one; all others send to their leader.
Flow collect_at(ProcessPart &part, const std::vector<int> &list, int root, SharedBytes mine,
                std::vector<SharedBytes> &packets) {
    const Relay relay(part, list, root);
    const int here = part.span.here;
    if (here == root) {
        packets.resize(list.size());
        for (const Relay::Node &node : relay.nodes) {
            if (node.leader == root) {
                for (int member : node.members)
                    if (relay.process(member) == here)
                        packets[static_cast<size_t>(member)] = mine;
                    else
                        packets[static_cast<size_t>(member)] =
                            co_await part.exchange.receive(relay.process(member));
                continue;
            }
            const SharedBytes all = co_await part.exchange.receive(node.leader);
            std::vector<SharedBytes> parts = unwrap(all, node.members.size());
            for (size_t i = 0; i < parts.size(); ++i)
                packets[static_cast<size_t>(node.members[i])] = std::move(parts[i]);
        }
    } else if (relay.own && relay.own->leader == here) {
        std::vector<SharedBytes> parts;
        for (int member : relay.own->members) {
            SharedBytes packet = mine;
            if (relay.process(member) != here)
                packet = co_await part.exchange.receive(relay.process(member));
            parts.push_back(std::move(packet));
        }
        part.exchange.send(root, wrap(parts));
    } else if (relay.own) {
        part.exchange.send(relay.own->leader, mine);
    }
}

// The same roles in the other direction: the root sends one joined packet to each leader, which
// distributes its parts.
Flow deal_from(ProcessPart &part, const std::vector<int> &list, int root,
               const std::vector<SharedBytes> &packets, SharedBytes &mine) {
    const Relay relay(part, list, root);
    const int here = part.span.here;
    if (here == root) {
        for (const Relay::Node &node : relay.nodes) {
            std::vector<SharedBytes> parts;
            for (int member : node.members) {
                const SharedBytes &packet = packets[static_cast<size_t>(member)];
                if (relay.process(member) == here)
                    mine = packet;
                else if (node.leader == root)
                    part.exchange.send(relay.process(member), packet);
                else
                    parts.push_back(packet);
            }
            if (node.leader != root)
                part.exchange.send(node.leader, wrap(parts));
        }
    } else if (relay.own && relay.own->leader == here) {
        const SharedBytes all = co_await part.exchange.receive(root);
        const std::vector<SharedBytes> parts = unwrap(all, relay.own->members.size());
        for (size_t i = 0; i < parts.size(); ++i) {
            const int process = relay.process(relay.own->members[i]);
            if (process == here)
                mine = parts[i];
            else
                part.exchange.send(process, parts[i]);
        }
    } else if (relay.own) {
        mine = co_await part.exchange.receive(relay.own->leader);
    }
}

// Collects all packets at the first process, then sends them to all.
Flow collect_packets(ProcessPart &part, const SharedBytes &mine,
                     std::vector<SharedBytes> &packets) {
    const std::vector<int> list = all_processes(part);
    co_await collect_at(part, list, 0, mine, packets);
    SharedBytes all;
    if (part.span.here == 0)
        all = wrap(packets);
    co_await spread(part, list, 0, all);
    if (part.span.here != 0)
        packets = unwrap(all, list.size());
}

Error exchange_together(Communicator &comm, void *argument, const Assent &assent,
                        Collective collective) {
    struct Member : Participant {
        using Participant::Participant;
        void *argument = nullptr;
    };

    const CollectiveCall call(collective);
    Member mine(comm, call);
    mine.argument = argument;
    const int number = next_spanning_number(comm, collective);
    return meet_here(comm, number, Announcement::make(collective), mine,
                     [&](std::vector<Participant *> participants) MAY_SUSPEND {
                         std::vector<void *> arguments;
                         for (Participant *participant : participants)
                             arguments.push_back(static_cast<Member *>(participant)->argument);
                         ProcessPart part(comm, number, true, std::move(participants));
                         const SharedBytes packet = assent.give(arguments.data(), comm);
                         std::vector<SharedBytes> packets;
                         if (run_blocking(part, collect_packets(part, packet, packets)))
                             assent.take(arguments.data(), comm, packets);
                     });
}

} // namespace thrum
