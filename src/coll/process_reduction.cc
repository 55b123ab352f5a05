#include "coll/process_reduction.h"

#include <mpi.h>

namespace thrum {
namespace {

// Of the group of MPI_Reduce's root only the root's arguments mean something (section 6.9.1).
// A user's function is best that of the rank that calls it.
const Reduction &significant(const Joint &joint, int contributing) {
    auto means_something = [&](size_t i) {
        return joint.side_of(i) == contributing || joint.call(i).root == MPI_ROOT;
    };
    if (means_something(joint.runner))
        return joint.call(joint.runner).reduction;
    for (size_t i = 0; i < joint.locals.size(); ++i)
        if (means_something(i))
            return joint.call(i).reduction;
    return joint.call(joint.runner).reduction;
}

// Contributions of members here into `result`.
void combine_here(const Reducing &reducing, char *result) {
    for (const Contribution *contribution : reducing.contributions)
        if (!reducing.check_size(contribution->size_bytes))
            return;
    combine_range(Published(reducing.contributions.data(), sizeof(Contribution *)),
                  reducing.combiner, {0, static_cast<int>(reducing.contributions.size())},
                  {0, reducing.count()}, result);
}

// All contributions to the process at position `root`, which combines them in the order of ranks.
Flow reduce_in_rank_order(Reducing &reducing, const std::vector<int> &list, int root,
                          char *result) {
    Joint &joint = reducing.joint;
    const Datatype &type = reducing.type();
    const Count count = reducing.count();
    const int root_index = list[static_cast<size_t>(root)];
    if (joint.span.here != root_index) {
        send_contributions(reducing, root_index);
        co_return;
    }
    std::vector<Packet> packets;
    co_await collect_contributions(reducing, packets);
    if (packets.empty())
        co_return;
    unpack_vector(packets.back(), result, count, type);
    const Accumulator left(count, type);
    for (size_t rank = packets.size() - 1; rank-- > 0;) {
        unpack_vector(packets[rank], left.elements(), count, type);
        reducing.combiner.onto(left.elements(), result, count);
    }
}

// The result of the contributions of `given`'s processes into `result` at the one at position
// `given_root`. Processes that have no contribution may be in the list only as the root, and last.
Flow reduce_along_tree(Reducing &reducing, const std::vector<int> &given, int given_root,
                       char *result) {
    Joint &joint = reducing.joint;
    const std::vector<int> list =
        reducing.mine.op->commutative ? grouped_by_node(joint, given) : given;
    const int root = position_in(list, given[static_cast<size_t>(given_root)]);
    const Datatype &type = reducing.type();
    const Count count = reducing.count();
    bool empty = reducing.contributions.empty();
    if (!empty)
        combine_here(reducing, result);
    const Accumulator theirs(count, type);
    const int position = position_in(list, joint.span.here);
    const Tree tree(position, root, nodes_of(joint, list));
    for (size_t i = tree.children.size(); i-- > 0;) {
        const Tree::Branch child = tree.children[i];
        const Packet packet =
            co_await joint.exchange.receive(list[static_cast<size_t>(child.root)]);
        if (!reducing.check_size(packet.size_bytes()))
            continue;
        if (empty) {
            unpack_vector(packet, result, count, type);
            empty = false;
            continue;
        }
        unpack_vector(packet, theirs.elements(), count, type);
        if (child.first < position) {
            reducing.combiner.onto(theirs.elements(), result, count);
        } else {
            reducing.combiner.onto(result, theirs.elements(), count);
            reducing.combiner.copy(theirs.elements(), result, count);
        }
    }
    if (tree.parent >= 0)
        joint.exchange.send(list[static_cast<size_t>(tree.parent)],
                            pack_vector(result, count, type));
}

} // namespace

Packet pack_vector(const char *elements, Count count, const Datatype &type) {
    Packet packet = Packet::of_size(data_bytes(count, type));
    if (packet.size_bytes() > 0)
        pack_bytes(elements, count, type, 0, packet.size_bytes(), packet.data());
    return packet;
}

void unpack_vector(const Packet &packet, char *elements, Count count, const Datatype &type) {
    if (packet.size_bytes() > 0)
        unpack_bytes(packet.data(), 0, packet.size_bytes(), elements, count, type);
}

Reducing::Reducing(Joint &operation, int contributing)
    : joint(operation), side(contributing), mine(significant(operation, contributing)),
      combiner(mine) {
    for (size_t i = 0; i < joint.locals.size(); ++i)
        if (joint.side_of(i) == side)
            contributions.push_back(&joint.call(i).reduction.mine);
}

bool Reducing::check_size(size_t size_bytes) const {
    if (size_bytes == mine.mine.size_bytes)
        return true;
    joint.blame_all(MPI_ERR_COUNT, "count: ranks contribute vectors of different sizes");
    return false;
}

void send_contributions(Reducing &reducing, int index) MAY_SUSPEND {
    for (const Contribution *contribution : reducing.contributions)
        reducing.joint.exchange.send(
            index, pack_vector(contribution->send, contribution->count, reducing.type()));
}

Flow collect_contributions(Reducing &reducing, std::vector<Packet> &packets) {
    Joint &joint = reducing.joint;
    packets.resize(static_cast<size_t>(joint.side_size[reducing.side]));
    for (int index : joint.span.sides[reducing.side].processes) {
        const std::vector<int> ranks = joint.ranks_at(index, reducing.side);
        for (size_t k = 0; k < ranks.size(); ++k) {
            Packet &place = packets[static_cast<size_t>(ranks[k])];
            if (index == joint.span.here)
                place = pack_vector(reducing.contributions[k]->send,
                                    reducing.contributions[k]->count, reducing.type());
            else
                place = co_await joint.exchange.receive(index);
        }
    }
    bool same = true;
    for (const Packet &packet : packets)
        same = same && reducing.check_size(packet.size_bytes());
    if (!same)
        packets.clear();
}

int add_root(std::vector<int> &list, int index) {
    if (position_in(list, index) < 0)
        list.push_back(index);
    return position_in(list, index);
}

Flow reduce_to(Reducing &reducing, const std::vector<int> &list, int root, char *result) {
    if (reducing.in_rank_order())
        co_await reduce_in_rank_order(reducing, list, root, result);
    else
        co_await reduce_along_tree(reducing, list, root, result);
}

} // namespace thrum
