// Operations that move data between node processes: what members of one process have for those of
// another travels in one packet: the sizes of the blocks, then the blocks, packed.
#include "coll/spanning.h"
#include "comm/process.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace thrum {
namespace {

// Blocks in a packet.
class Bundle {
public:
    explicit Bundle(const std::vector<Block> &blocks) {
        const size_t head_bytes = blocks.size() * sizeof(uint64_t);
        size_t total_bytes = head_bytes;
        for (const Block &block : blocks)
            total_bytes += size_of(block);
        packet_ = Packet::of_size(total_bytes);
        char *to = packet_.data() + head_bytes;
        for (size_t i = 0; i < blocks.size(); ++i) {
            const uint64_t size_bytes = size_of(blocks[i]);
            std::memcpy(packet_.data() + i * sizeof size_bytes, &size_bytes, sizeof size_bytes);
            if (size_bytes > 0)
                to += pack_block(blocks[i], to);
        }
    }

    Bundle(Packet packet, size_t count)
        : packet_(std::move(packet)), next_(packet_.data() + count * sizeof(uint64_t)) {}

    const Packet &packet() const { return packet_; }

    // The next block into `to`: tells what was sent.
    size_t take(const Block &to) {
        uint64_t size_bytes;
        std::memcpy(&size_bytes, packet_.data() + taken_++ * sizeof size_bytes, sizeof size_bytes);
        unpack_block(next_, size_bytes, to);
        next_ += size_bytes;
        return size_bytes;
    }

private:
    static size_t size_of(const Block &block) { return block.type ? block.size_bytes() : 0; }

    Packet packet_;
    const char *next_ = nullptr;
    size_t taken_ = 0;
};

void blame_truncation(Participant &receiver, int source, size_t sent_bytes, const Block &room) {
    if (sent_bytes > room.size_bytes())
        receiver.blame(MPI_ERR_TRUNCATE, "rank %d sends %zu bytes, but there is room for %zu",
                       source, sent_bytes, room.size_bytes());
}

void move_here(const Block &from, const Block &to, int source, Participant &receiver) {
    copy_block(from, to);
    blame_truncation(receiver, source, from.size_bytes(), to);
}

// Of an operation with a root: where this is, and which side is not the root's (or is all).
struct Root {
    int index = -1; // -1: nobody here knows of a root: nothing is to be done
    int rank = 0;   // in its side
    int side = 0;   // whose ranks send to the root, or receive from it
    int local = -1; // the local member that is the root
};

Root find_root(const Joint &joint) {
    Root root;
    for (size_t i = 0; i < joint.locals.size(); ++i) {
        const int said = joint.call(i).root;
        if (!joint.inter) {
            root.index = joint.index_of(0, said);
            root.rank = said;
            if (joint.rank_of(i) == said)
                root.local = static_cast<int>(i);
        } else if (said == MPI_ROOT) {
            root.index = joint.span.here;
            root.rank = joint.rank_of(i);
            root.side = 1 - joint.side_of(i);
            root.local = static_cast<int>(i);
        } else if (said >= 0) {
            root.side = joint.side_of(i);
            root.index = joint.index_of(1 - root.side, said);
            root.rank = said;
        }
    }
    return root;
}

Participant &at(Joint &joint, int local) {
    return *joint.locals[static_cast<size_t>(local)];
}

} // namespace

Flow spanning_bcast(Joint &joint) {
    const Root root = find_root(joint);
    if (root.index < 0)
        co_return;
    std::vector<int> list = joint.span.sides[root.side].processes;
    if (position_in(list, root.index) < 0)
        list.push_back(root.index);
    Packet packet;
    if (root.local >= 0) {
        const Block block = at(joint, root.local).call->movement.send[0];
        packet = Packet::of_size(block.size_bytes());
        pack_block(block, packet.data());
    }
    co_await spread(joint, list, position_in(list, root.index), packet);
    for (size_t i = 0; i < joint.locals.size(); ++i) {
        const Movement &movement = joint.call(i).movement;
        if (static_cast<int>(i) == root.local || !movement.receive)
            continue;
        const Block block = movement.receive[0];
        unpack_block(packet.data(), packet.size_bytes(), block);
        blame_truncation(*joint.locals[i], root.rank, packet.size_bytes(), block);
    }
}

Flow spanning_gather(Joint &joint) {
    const Root root = find_root(joint);
    if (root.index < 0)
        co_return;
    std::vector<Block> blocks;
    for (size_t i = 0; i < joint.locals.size(); ++i)
        if (joint.side_of(i) == root.side) {
            const Blocks &send = joint.call(i).movement.send;
            blocks.push_back(send ? send[0] : Block{});
        }
    const std::vector<int> &list = joint.span.sides[root.side].processes;
    Packet mine; // not the root's own
    if (root.local < 0 && !blocks.empty())
        mine = Bundle(blocks).packet();
    std::vector<Packet> packets;
    co_await collect_at(joint, list, root.index, mine, packets);
    if (root.local < 0)
        co_return;
    Participant &receiver = at(joint, root.local);
    const Blocks &receive = receiver.call->movement.receive;
    for (size_t position = 0; position < list.size(); ++position) {
        const std::vector<int> ranks = joint.ranks_at(list[position], root.side);
        if (list[position] == joint.span.here) {
            for (size_t k = 0; k < ranks.size(); ++k)
                if (blocks[k].type) // else the root's own, in place
                    move_here(blocks[k], receive[ranks[k]], ranks[k], receiver);
            continue;
        }
        Bundle bundle(std::move(packets[position]), ranks.size());
        for (int rank : ranks) {
            const Block block = receive[rank];
            blame_truncation(receiver, rank, bundle.take(block), block);
        }
    }
}

Flow spanning_scatter(Joint &joint) {
    const Root root = find_root(joint);
    if (root.index < 0)
        co_return;
    std::vector<size_t> receivers; // local members, in the order of their ranks
    for (size_t i = 0; i < joint.locals.size(); ++i)
        if (joint.side_of(i) == root.side)
            receivers.push_back(i);
    const std::vector<int> &list = joint.span.sides[root.side].processes;
    std::vector<Packet> packets;
    Packet mine;
    if (root.local < 0) {
        co_await deal_from(joint, list, root.index, packets, mine);
        if (receivers.empty())
            co_return;
        Bundle bundle(std::move(mine), receivers.size());
        for (size_t i : receivers) {
            const Block block = joint.call(i).movement.receive[0];
            blame_truncation(*joint.locals[i], root.rank, bundle.take(block), block);
        }
        co_return;
    }
    const Blocks &send = at(joint, root.local).call->movement.send;
    for (int index : list) {
        std::vector<Block> blocks; // not the root's own
        for (int rank : joint.ranks_at(index, root.side))
            blocks.push_back(index == joint.span.here ? Block{} : send[rank]);
        packets.push_back(Bundle(blocks).packet());
    }
    co_await deal_from(joint, list, root.index, packets, mine);
    for (size_t i : receivers)
        if (const Blocks &receive = joint.call(i).movement.receive)
            move_here(send[joint.rank_of(i)], receive[0], root.rank, *joint.locals[i]);
}

namespace {

// What the members of process `index`, of side `side`, have sent into everybody's blocks; their own
// in place has no place to go.
void take_gathered(Joint &joint, int index, int side, const Packet &packet) {
    const std::vector<int> ranks = joint.ranks_at(index, side);
    for (size_t i = 0; i < joint.locals.size(); ++i) {
        if (joint.inter && joint.side_of(i) == side)
            continue;
        const Movement &movement = joint.call(i).movement;
        Bundle bundle(packet, ranks.size());
        for (int rank : ranks) {
            const bool in_place = !movement.send && rank == joint.rank_of(i);
            const Block block =
                in_place ? Block{nullptr, 0, movement.receive[rank].type} : movement.receive[rank];
            const size_t sent_bytes = bundle.take(block);
            if (!in_place)
                blame_truncation(*joint.locals[i], rank, sent_bytes, block);
        }
    }
}

Packet contribution_of(const Joint &joint, int side) {
    std::vector<Block> blocks;
    for (size_t i = 0; i < joint.locals.size(); ++i)
        if (joint.side_of(i) == side) {
            const Movement &movement = joint.call(i).movement;
            blocks.push_back(movement.send ? movement.send[0] : movement.receive[joint.rank_of(i)]);
        }
    return Bundle(blocks).packet();
}

// Every process of one side sends to every process of the other.
Flow allgather_between(Joint &joint) {
    const ProcessMap &span = joint.span;
    for (int side : {0, 1}) {
        if (position_in(span.sides[side].processes, span.here) < 0)
            continue;
        const Packet mine = contribution_of(joint, side);
        for (int index : span.sides[1 - side].processes)
            if (index != span.here)
                joint.exchange.send(index, mine);
            else
                take_gathered(joint, index, side, mine);
    }
    for (int side : {0, 1}) {
        if (position_in(span.sides[1 - side].processes, span.here) < 0)
            continue;
        for (int index : span.sides[side].processes) {
            if (index == span.here)
                continue;
            const Packet packet = co_await joint.exchange.receive(index);
            take_gathered(joint, index, side, packet);
        }
    }
}

// Around the ring of processes: each passes on what it has got last.
Flow allgather_in_ring(Joint &joint, const Packet &mine) {
    const int count = joint.span.count(), here = joint.span.here;
    Packet packet = mine;
    for (int step = 1; step < count; ++step) {
        joint.exchange.send((here + 1) % count, packet);
        packet = co_await joint.exchange.receive((here + count - 1) % count);
        take_gathered(joint, (here + count - step) % count, 0, packet);
    }
}

constexpr size_t ring_bytes_min = 64 << 10; // of all blocks together

} // namespace

Flow spanning_allgather(Joint &joint) {
    if (joint.inter) {
        co_await allgather_between(joint);
        co_return;
    }
    const Packet mine = contribution_of(joint, 0);
    size_t total_bytes = 0; // the same at all ranks
    for (int rank = 0; rank < joint.side_size[0]; ++rank)
        total_bytes += joint.call(0).movement.receive[rank].size_bytes();
    if (total_bytes >= ring_bytes_min) {
        co_await allgather_in_ring(joint, mine);
        take_gathered(joint, joint.span.here, 0, mine);
        co_return;
    }
    std::vector<Packet> packets;
    co_await collect_packets(joint, mine, packets);
    for (int index = 0; index < joint.span.count(); ++index)
        take_gathered(joint, index, 0, packets[static_cast<size_t>(index)]);
}

namespace {

// What a member here sends, with MPI_IN_PLACE as a copy.
struct Sent {
    std::vector<std::unique_ptr<PackedCopy>> copies;
    std::vector<Blocks> blocks; // by local member

    explicit Sent(const Joint &joint) {
        for (size_t i = 0; i < joint.locals.size(); ++i) {
            const Movement &movement = joint.call(i).movement;
            if (!movement.send)
                copies.push_back(
                    std::make_unique<PackedCopy>(movement.receive, joint.side_size[0]));
            blocks.push_back(movement.send ? movement.send : copies.back()->blocks());
        }
    }
};

// Ranks that member `local` sends to and receives from, of those at process `index`.
std::vector<int> partners(const Joint &joint, size_t local, int index) {
    return joint.ranks_at(index, joint.inter ? 1 - joint.side_of(local) : 0);
}

// Members of process `index` in the order of their numbers: side and rank.
std::vector<std::pair<int, int>> members_at(const Joint &joint, int index) {
    std::vector<std::pair<int, int>> members;
    for (int side : {0, 1})
        for (int rank : joint.ranks_at(index, side))
            members.emplace_back(side, rank);
    return members;
}

bool send_to_each_other(const Joint &joint, int side, int other_side) {
    return !joint.inter || side != other_side;
}

void exchange_here(Joint &joint, const Sent &sent) {
    for (size_t i = 0; i < joint.locals.size(); ++i)
        for (size_t j = 0; j < joint.locals.size(); ++j)
            if (send_to_each_other(joint, joint.side_of(i), joint.side_of(j)))
                move_here(sent.blocks[i][joint.rank_of(j)],
                          joint.call(j).movement.receive[joint.rank_of(i)], joint.rank_of(i),
                          *joint.locals[j]);
}

} // namespace

// One packet for each process: for each member here, then each member there. Nobody waits before
// all his packets are out.
Flow spanning_alltoall(Joint &joint) {
    const int count = joint.span.count(), here = joint.span.here;
    {
        const Sent sent(joint);
        for (int step = 1; step < count; ++step) {
            const int index = (here + step) % count;
            std::vector<Block> blocks;
            for (size_t i = 0; i < joint.locals.size(); ++i)
                for (int rank : partners(joint, i, index))
                    blocks.push_back(sent.blocks[i][rank]);
            if (!blocks.empty())
                joint.exchange.send(index, Bundle(blocks).packet());
        }
        exchange_here(joint, sent);
    }
    for (int step = 1; step < count; ++step) {
        const int index = (here + count - step) % count;
        std::vector<std::pair<size_t, int>> places; // local receiver, and rank of the sender
        for (auto [side, rank] : members_at(joint, index))
            for (size_t j = 0; j < joint.locals.size(); ++j)
                if (send_to_each_other(joint, side, joint.side_of(j)))
                    places.emplace_back(j, rank);
        if (places.empty())
            continue;
        Packet packet = co_await joint.exchange.receive(index);
        Bundle bundle(std::move(packet), places.size());
        for (auto [j, rank] : places) {
            const Block block = joint.call(j).movement.receive[rank];
            blame_truncation(*joint.locals[j], rank, bundle.take(block), block);
        }
    }
}

} // namespace thrum
