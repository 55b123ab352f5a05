// Reductions between node processes. Members of a process are combined first, in the order of their
// ranks; then the processes' results, along a tree whose subtrees are runs of neighbours: the
// combination depends on who is where alone, never on timing or on the root (section 6.9.1).
//
// Where the operation does not commute and a process's ranks are not neighbours, all contributions
// travel, and are combined in the order of ranks.
#include "coll/combine.h"
#include "coll/spanning.h"
#include "comm/process.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace thrum {
namespace {

// A vector of the operation's type in memory of our own.
class Accumulator {
public:
    Accumulator(Count count, const Datatype &type)
        : span_(count, type), bytes_(new char[static_cast<size_t>(span_.size_bytes) + 1]) {}

    char *elements() const { return bytes_.get() + span_.origin; }

private:
    VectorSpan span_;
    std::unique_ptr<char[]> bytes_;
};

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

// What the members of one side contribute, as this process sees it.
struct Reducing {
    Joint &joint;
    int side;              // whose members contribute
    const Reduction &mine; // of any member here: count, datatype and operation are the same at all
    Combiner combiner;
    std::vector<const Contribution *> contributions; // of members here, in rank order

    Reducing(Joint &operation, int contributing)
        : joint(operation), side(contributing), mine(significant(operation, contributing)),
          combiner(mine.vector()) {
        for (size_t i = 0; i < joint.locals.size(); ++i)
            if (joint.side_of(i) == side)
                contributions.push_back(&joint.call(i).reduction.mine);
    }

    // Of the group of MPI_Reduce's root only the root's arguments mean something (section 6.9.1).
    // A user's function is best that of the rank that calls it.
    static const Reduction &significant(const Joint &joint, int contributing) {
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

    Count count() const { return mine.mine.count; }

    const Datatype &type() const { return *mine.mine.type; }

    bool in_rank_order() const {
        return !mine.op->commutative && !joint.span.sides[side].consecutive;
    }

    // Everybody here must contribute as many bytes as the others. False: nothing may be combined.
    bool check_size(size_t size_bytes) const {
        if (size_bytes == mine.mine.size_bytes)
            return true;
        joint.blame_all(MPI_ERR_COUNT, "count: ranks contribute vectors of different sizes");
        return false;
    }
};

// Contributions of members here into `result`.
void combine_here(const Reducing &reducing, char *result) {
    for (const Contribution *contribution : reducing.contributions)
        if (!reducing.check_size(contribution->size_bytes))
            return;
    combine_range(Published(reducing.contributions.data(), sizeof(Contribution *)),
                  reducing.combiner, {0, static_cast<int>(reducing.contributions.size())},
                  {0, reducing.count()}, result);
}

// Those of members here, one by one.
void send_contributions(Reducing &reducing, int index) MAY_SUSPEND {
    for (const Contribution *contribution : reducing.contributions)
        reducing.joint.exchange.send(
            index, pack_vector(contribution->send, contribution->count, reducing.type()));
}

// Those of all ranks, by rank. None if they are of different sizes.
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

// `list` for a root at process `index`, and the root's position in it.
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

} // namespace

Flow spanning_reduce(Joint &joint) {
    int root_index = -1, side = 0;
    Participant *root = nullptr;
    for (size_t i = 0; i < joint.locals.size(); ++i) {
        const int said = joint.call(i).root;
        if (!joint.inter) {
            root_index = joint.index_of(0, said);
            if (joint.rank_of(i) == said)
                root = joint.locals[i];
        } else if (said == MPI_ROOT) {
            root_index = joint.span.here;
            side = 1 - joint.side_of(i);
            root = joint.locals[i];
        } else if (said >= 0) {
            side = joint.side_of(i);
            root_index = joint.index_of(1 - side, said);
        }
    }
    if (root_index < 0)
        co_return;
    Reducing reducing(joint, side);
    std::vector<int> list = joint.span.sides[side].processes;
    const int position = add_root(list, root_index);
    const Accumulator result(reducing.count(), reducing.type());
    co_await reduce_to(reducing, list, position, result.elements());
    if (root && !root->code)
        reducing.combiner.copy(result.elements(), root->call->reduction.mine.receive,
                               reducing.count());
}

namespace {

// Hands the result of one side's contributions out to the members here that want it: the whole, or
// their shares.
void hand_out(const Reducing &reducing, const char *result) {
    const Joint &joint = reducing.joint;
    for (size_t i = 0; i < joint.locals.size(); ++i) {
        if ((joint.inter && joint.side_of(i) == reducing.side) || joint.locals[i]->code)
            continue;
        const Reduction &reduction = joint.call(i).reduction;
        const bool whole = joint.collective() == Collective::Allreduce;
        const Share share = whole ? Share{0, reducing.count()} : reduction.share;
        reducing.combiner.copy(result + share.first * reducing.type().extent,
                               reduction.mine.receive, share.count);
    }
}

} // namespace

// To one process of those that want the result, then to them all.
Flow spanning_allreduce(Joint &joint) {
    for (int side = 0; side < (joint.inter ? 2 : 1); ++side) {
        const std::vector<int> &wanting = joint.span.sides[joint.inter ? 1 - side : 0].processes;
        std::vector<int> list = joint.span.sides[side].processes;
        const int root = add_root(list, wanting[0]);
        const bool contributes = position_in(list, joint.span.here) >= 0;
        const bool wants = position_in(wanting, joint.span.here) >= 0;
        if (!contributes && !wants)
            continue;
        Reducing reducing(joint, side);
        const Accumulator result(reducing.count(), reducing.type());
        if (contributes)
            co_await reduce_to(reducing, list, root, result.elements());
        if (!wants)
            continue;
        Packet packet;
        if (joint.span.here == wanting[0])
            packet = pack_vector(result.elements(), reducing.count(), reducing.type());
        co_await spread(joint, wanting, 0, packet);
        if (joint.span.here != wanting[0] && reducing.check_size(packet.size_bytes()))
            unpack_vector(packet, result.elements(), reducing.count(), reducing.type());
        hand_out(reducing, result.elements());
    }
}

namespace {

// Runs through the ranks from the first to the last: before = the result of all earlier ones.
class Scanning {
public:
    explicit Scanning(Reducing &reducing)
        : reducing_(reducing), exclusive_(reducing.joint.collective() == Collective::Exscan),
          sum_(reducing.count(), reducing.type()), next_(reducing.count(), reducing.type()) {}

    bool begun() const { return begun_; }

    char *sum() const { return sum_.elements(); }

    void begin(const Packet &packet) {
        unpack_vector(packet, sum(), reducing_.count(), reducing_.type());
        begun_ = true;
    }

    // The next rank contributes; `receive`: where its result belongs, or nullptr.
    void add(const char *contribution, char *receive) {
        const Count count = reducing_.count();
        reducing_.combiner.copy(contribution, next_.elements(), count);
        if (begun_)
            reducing_.combiner.onto(sum(), next_.elements(), count);
        if (receive && exclusive_ && begun_)
            reducing_.combiner.copy(sum(), receive, count);
        reducing_.combiner.copy(next_.elements(), sum(), count);
        if (receive && !exclusive_)
            reducing_.combiner.copy(sum(), receive, count);
        begun_ = true;
    }

private:
    Reducing &reducing_;
    bool exclusive_;
    bool begun_ = false;
    Accumulator sum_, next_;
};

// Each process goes on where the one before it has ended.
Flow scan_along_chain(Reducing &reducing) {
    Joint &joint = reducing.joint;
    const std::vector<int> &list = joint.span.sides[0].processes;
    const auto position = static_cast<size_t>(position_in(list, joint.span.here));
    Scanning scanning(reducing);
    if (position > 0) {
        const Packet packet = co_await joint.exchange.receive(list[position - 1]);
        if (reducing.check_size(packet.size_bytes()))
            scanning.begin(packet);
    }
    for (const Contribution *contribution : reducing.contributions)
        if (reducing.check_size(contribution->size_bytes))
            scanning.add(contribution->send, contribution->receive);
    if (position + 1 < list.size())
        joint.exchange.send(list[position + 1],
                            pack_vector(scanning.sum(), reducing.count(), reducing.type()));
}

// Everybody gets all contributions.
Flow scan_in_rank_order(Reducing &reducing) {
    Joint &joint = reducing.joint;
    const Datatype &type = reducing.type();
    for (int index = 0; index < joint.span.count(); ++index)
        if (index != joint.span.here)
            send_contributions(reducing, index);
    std::vector<Packet> packets;
    co_await collect_contributions(reducing, packets);
    if (packets.empty())
        co_return;
    Scanning scanning(reducing);
    const Accumulator contribution(reducing.count(), type);
    size_t here = 0;
    for (int rank = 0; rank < joint.side_size[0]; ++rank) {
        const bool is_here = joint.index_of(0, rank) == joint.span.here;
        unpack_vector(packets[static_cast<size_t>(rank)], contribution.elements(), reducing.count(),
                      type);
        scanning.add(contribution.elements(),
                     is_here ? reducing.contributions[here++]->receive : nullptr);
    }
}

} // namespace

Flow spanning_scan(Joint &joint) {
    Reducing reducing(joint, 0);
    if (joint.span.sides[0].consecutive)
        co_await scan_along_chain(reducing);
    else
        co_await scan_in_rank_order(reducing);
}

} // namespace thrum
