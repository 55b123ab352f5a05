#include "coll/spanning.h"

#include "coll/collective_request.h"
#include "coll/round.h"
#include "comm/process.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace thrum {
namespace {

constexpr int number_mask = (1 << 30) - 1;

Error run_blocking(Joint &joint) MAY_SUSPEND {
    bool ended = false;
    run_flow(spanning_flow(joint), [](void *flag) { *static_cast<bool *>(flag) = true; }, &ended);
    CHECK(ended, "a blocking collective operation has not waited for its packets");
    return success;
}

// Publishes `mine` to the members of this process and calls work(participants) in the last one.
template <class Work>
Error meet_here(Communicator &comm, uint64_t what, Participant &mine, Work work) MAY_SUSPEND {
    const ProcessMap &span = *comm.context->span;
    if (span.locals.size() == 1) {
        work(std::vector<Participant *>{&mine});
        return success;
    }
    Visit visit(comm, what, &mine);
    visit.pass_with([&] {
        std::vector<Participant *> participants;
        for (size_t i = 0; i < span.locals.size(); ++i)
            participants.push_back(
                const_cast<Participant *>(&visit.argument<Participant>(static_cast<int>(i))));
        work(std::move(participants));
    });
    return visit.verdict();
}

} // namespace

void Participant::blame(int error_code, const char *format, ...) {
    if (code)
        return; // the first error counts
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    code = error_code;
    sentence = text;
}

Error Participant::error() const {
    return code ? fail(code, "%s", sentence.c_str()) : success;
}

Joint::Joint(Communicator &comm, int number, bool blocking, std::vector<Participant *> participants)
    : exchange(comm, number, blocking), locals(std::move(participants)), span(*comm.context->span),
      inter(comm.inter), runner(static_cast<size_t>(comm.meeting_member)) {
    side_size[comm.side] = comm.size;
    side_size[1 - comm.side] = comm.inter ? comm.remote_size : 0;
}

std::vector<int> Joint::ranks_at(int index, int side) const {
    std::vector<int> ranks;
    for (int rank = 0; rank < side_size[side]; ++rank)
        if (index_of(side, rank) == index)
            ranks.push_back(rank);
    return ranks;
}

void Joint::blame_all(int code, const char *sentence) {
    for (Participant *participant : locals)
        participant->blame(code, "%s", sentence);
}

Tree::Tree(int position, int root, int count) {
    int first = 0, end = count;
    while (end - first > 1) {
        const int middle = first + (end - first) / 2;
        const bool root_is_left = root < middle;
        Branch own{root, first, end}, other{root, first, end};
        (root_is_left ? own.end : own.first) = middle;
        (root_is_left ? other.first : other.end) = middle;
        other.root = root_is_left ? middle : middle - 1; // the neighbour of the root's run
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

int position_in(const std::vector<int> &list, int index) {
    auto found = std::find(list.begin(), list.end(), index);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

Flow spread(Joint &joint, const std::vector<int> &list, int root, Packet &packet) {
    const Tree tree(position_in(list, joint.span.here), root, static_cast<int>(list.size()));
    if (tree.parent >= 0)
        packet = co_await joint.exchange.receive(list[static_cast<size_t>(tree.parent)]);
    for (const Tree::Branch &child : tree.children)
        joint.exchange.send(list[static_cast<size_t>(child.root)], packet);
}

// An empty packet up the tree, and one down.
Flow spanning_barrier(Joint &joint) {
    std::vector<int> list;
    for (int index = 0; index < joint.span.count(); ++index)
        list.push_back(index);
    const Tree tree(joint.span.here, 0, joint.span.count());
    for (size_t child = tree.children.size(); child-- > 0;)
        co_await joint.exchange.receive(tree.children[child].root);
    Packet empty = Packet::of_size(0);
    if (tree.parent >= 0)
        joint.exchange.send(tree.parent, empty);
    co_await spread(joint, list, 0, empty);
}

Flow spanning_context_id(Joint &joint) {
    std::vector<int> list;
    for (int index = 0; index < joint.span.count(); ++index)
        list.push_back(index);
    Packet packet;
    if (joint.span.here == 0) {
        const uint32_t id = new_spanning_ids(1);
        packet = Packet::of_size(sizeof id);
        std::memcpy(packet.data(), &id, sizeof id);
    }
    co_await spread(joint, list, 0, packet);
    for (size_t i = 0; i < joint.locals.size(); ++i)
        unpack_block(packet.data(), packet.size_bytes(), joint.call(i).movement.receive[0]);
}

Flow spanning_flow(Joint &joint) {
    switch (joint.collective()) {
    case Collective::ContextId:
        return spanning_context_id(joint);
    case Collective::Bcast:
        return spanning_bcast(joint);
    case Collective::Gather:
    case Collective::Gatherv:
        return spanning_gather(joint);
    case Collective::Scatter:
    case Collective::Scatterv:
        return spanning_scatter(joint);
    case Collective::Allgather:
    case Collective::Allgatherv:
        return spanning_allgather(joint);
    case Collective::Alltoall:
    case Collective::Alltoallv:
    case Collective::Alltoallw:
        return spanning_alltoall(joint);
    case Collective::Reduce:
        return spanning_reduce(joint);
    case Collective::Allreduce:
    case Collective::ReduceScatter:
    case Collective::ReduceScatterBlock:
        return spanning_allreduce(joint);
    case Collective::Scan:
    case Collective::Exscan:
        return spanning_scan(joint);
    default:
        return spanning_barrier(joint);
    }
}

int next_spanning_number(Communicator &comm) {
    return static_cast<int>(comm.spanning_operations++ & number_mask);
}

Error spanning_collective(Communicator &comm, const CollectiveCall &call) {
    Participant mine;
    mine.call = &call;
    mine.comm = &comm;
    const int number = next_spanning_number(comm);
    Error error = meet_here(comm, announcement_of(comm, call, BlockingForm), mine,
                            [&](std::vector<Participant *> participants) {
                                Joint joint(comm, number, true, std::move(participants));
                                (void)run_blocking(joint);
                            });
    return error ? error : mine.error();
}

// To the first process, then all of them to everybody.
Flow collect_packets(Joint &joint, const Packet &mine, std::vector<Packet> &packets) {
    const int count = joint.span.count(), here = joint.span.here;
    std::vector<int> list;
    for (int index = 0; index < count; ++index)
        list.push_back(index);
    Packet all;
    if (here == 0) {
        std::vector<Packet> given(static_cast<size_t>(count));
        size_t size_bytes = 0;
        for (int index = 0; index < count; ++index) {
            if (index == 0)
                given[0] = mine;
            else
                given[static_cast<size_t>(index)] = co_await joint.exchange.receive(index);
            size_bytes += sizeof(uint64_t) + given[static_cast<size_t>(index)].size_bytes();
        }
        all = Packet::of_size(size_bytes);
        char *to = all.data();
        for (const Packet &packet : given) {
            const uint64_t length = packet.size_bytes();
            std::memcpy(to, &length, sizeof length);
            std::memcpy(to + sizeof length, packet.data(), length);
            to += sizeof length + length;
        }
    } else {
        joint.exchange.send(0, mine);
    }
    co_await spread(joint, list, 0, all);
    const char *from = all.data();
    for (int index = 0; index < count; ++index) {
        uint64_t length;
        std::memcpy(&length, from, sizeof length);
        Packet packet = Packet::of_size(length);
        std::memcpy(packet.data(), from + sizeof length, length);
        packets.push_back(std::move(packet));
        from += sizeof length + length;
    }
}

Error exchange_together(Communicator &comm, void *argument, const Assent &assent,
                        Collective collective) {
    struct Member : Participant {
        void *argument = nullptr;
    } mine;

    const CollectiveCall call(collective);
    mine.call = &call;
    mine.comm = &comm;
    mine.argument = argument;
    const int number = next_spanning_number(comm);
    return meet_here(comm, Announcement::make(collective), mine,
                     [&](std::vector<Participant *> participants) {
                         std::vector<void *> arguments;
                         for (Participant *participant : participants)
                             arguments.push_back(static_cast<Member *>(participant)->argument);
                         Joint joint(comm, number, true, std::move(participants));
                         const Packet packet = assent.give(arguments.data(), comm);
                         std::vector<Packet> packets;
                         run_flow(collect_packets(joint, packet, packets), [](void *) {}, nullptr);
                         assent.take(arguments.data(), comm, packets);
                     });
}

} // namespace thrum
