// libFuzzer: compares both queues with the rules of matching (MPI 5.0 section 3.5), implemented as
// a list that is walked from its oldest entry. The input is a sequence of operations, two bytes
// each.
#include "match/posted_queue.h"
#include "match/unexpected_queue.h"

#include <deque>
#include <memory>
#include <vector>

using namespace thrum;

namespace {

void require(bool condition) {
    if (!condition)
        __builtin_trap();
}

// Returns the oldest entry of the list for which accepts(entry) is true, or nullptr.
template <class Node, class Accepts>
Node *oldest(const std::deque<Node *> &list, Accepts accepts) {
    for (Node *node : list)
        if (accepts(*node))
            return node;
    return nullptr;
}

template <class Queue, class Node>
void require_order(const Queue &queue, const std::deque<Node *> &list) {
    require(queue.size() == list.size() && queue.empty() == list.empty());
    Node *node = queue.first();
    for (Node *expected : list) {
        require(node == expected);
        node = queue.next(*node);
    }
    require(!node);
}

class Traffic {
public:
    Traffic(const uint8_t *data, size_t size) : data_(data), end_(data + size) {}

    bool next() {
        if (end_ - data_ < 2)
            return false;
        operation_ = data_[0];
        operand_ = data_[1];
        data_ += 2;
        return true;
    }

    // The upper bits of the first byte choose; there are few values, so that many entries are
    // alike.
    unsigned action() const { return operation_ & 7; }

    unsigned repeats() const { return operation_ & 8 ? 20 : 1; } // across the border to the index

    Envelope message() const {
        return {uint32_t{operand_} & 1, operand_ >> 1 & 3, operand_ >> 3 & 3};
    }

    Envelope receive() const {
        Envelope envelope = message();
        if (operand_ & 64)
            envelope.source = MPI_ANY_SOURCE;
        if (operand_ & 128)
            envelope.tag = MPI_ANY_TAG;
        return envelope;
    }

    size_t place(size_t size) const { return operand_ % size; }

private:
    const uint8_t *data_, *end_;
    uint8_t operation_ = 0, operand_ = 0;
};

void run_posted(Traffic traffic) {
    PostedQueue queue;
    std::deque<PostedReceive *> list;
    std::vector<std::unique_ptr<PostedReceive>> all;
    while (traffic.next()) {
        for (unsigned i = 0; i < traffic.repeats(); ++i) {
            if (traffic.action() < 4) {
                all.push_back(std::make_unique<PostedReceive>());
                all.back()->envelope = traffic.receive();
                queue.post(*all.back());
                list.push_back(all.back().get());
            } else if (traffic.action() < 7) {
                const Envelope message = traffic.message();
                PostedReceive *expected =
                    oldest(list, [&](PostedReceive &r) { return r.envelope.accepts(message); });
                require(queue.match(message) == expected);
                if (expected)
                    std::erase(list, expected);
                require(!expected || !expected->posted());
            } else if (!list.empty()) { // cancelled
                PostedReceive *receive = list[traffic.place(list.size())];
                queue.remove(*receive);
                std::erase(list, receive);
            }
        }
        require_order(queue, list);
    }
    while (!list.empty()) {
        queue.remove(*list.back());
        list.pop_back();
    }
}

void run_unexpected(Traffic traffic) {
    UnexpectedQueue queue;
    std::deque<UnexpectedMessage *> list;
    std::vector<std::unique_ptr<UnexpectedMessage>> all;
    while (traffic.next()) {
        for (unsigned i = 0; i < traffic.repeats(); ++i) {
            const Envelope receive = traffic.receive();
            auto accepts = [&](UnexpectedMessage &m) {
                return receive.accepts(m.envelope);
            };
            if (traffic.action() < 4) {
                all.push_back(std::make_unique<UnexpectedMessage>());
                all.back()->envelope = traffic.message();
                queue.insert(*all.back());
                list.push_back(all.back().get());
            } else if (traffic.action() < 6) {
                UnexpectedMessage *expected = oldest(list, accepts);
                require(queue.match(receive) == expected);
                if (expected)
                    std::erase(list, expected);
            } else if (traffic.action() == 6) { // probe
                require(queue.find(receive) == oldest(list, accepts));
            } else if (!list.empty()) {
                UnexpectedMessage *message = list[traffic.place(list.size())];
                queue.remove(*message);
                std::erase(list, message);
            }
        }
        require_order(queue, list);
    }
    while (!list.empty()) {
        queue.remove(*list.back());
        list.pop_back();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const Traffic traffic(data + 1, size - 1);
    if (data[0] & 1)
        run_posted(traffic);
    else
        run_unexpected(traffic);
    return 0;
}
