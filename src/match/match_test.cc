// Compares the two queues with the rules of MPI 5.0 section 3.5, and with naive twins.
#include "base/block_pool.h"
#include "base/testing/seed.h"
#include "match/posted_queue.h"
#include "match/unexpected_queue.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <gtest/gtest.h>
#include <malloc.h>
#include <memory>
#include <random>
#include <vector>

using namespace thrum;

namespace {

using thrum::testing::test_seed;

// The rules of matching, without optimisation.
template <class Node>
class NaiveQueue {
public:
    void insert(Node &node) { nodes_.push_back(&node); }

    void remove(Node &node) { std::erase(nodes_, &node); }

    template <class Accepts>
    Node *find(Accepts accepts) const {
        for (Node *node : nodes_)
            if (accepts(*node))
                return node;
        return nullptr;
    }

    size_t size() const { return nodes_.size(); }

    Node *at(size_t i) const { return nodes_[i]; }

private:
    std::deque<Node *> nodes_;
};

struct RandomEnvelopes {
    std::mt19937_64 random;
    int contexts, sources, tags;

    Envelope message() {
        return {static_cast<uint32_t>(random() % contexts), static_cast<int>(random() % sources),
                static_cast<int>(random() % tags)};
    }

    Envelope receive(unsigned wildcard_percent) {
        Envelope envelope = message();
        if (random() % 100 < wildcard_percent)
            envelope.source = MPI_ANY_SOURCE;
        if (random() % 100 < wildcard_percent)
            envelope.tag = MPI_ANY_TAG;
        return envelope;
    }
};

// Alternates phases in which the queue grows past the switch from walking to indexing, and shrinks
// again.
bool growing(size_t step) {
    return step / 700 % 2 == 0;
}

void posted_against_twin(RandomEnvelopes envelopes, size_t steps) {
    PostedQueue queue;
    NaiveQueue<PostedReceive> twin;
    std::vector<std::unique_ptr<PostedReceive>> all;
    for (size_t step = 0; step < steps; ++step) {
        unsigned action = envelopes.random() % 10;
        if (growing(step) ? action < 7 : action < 3) {
            all.push_back(std::make_unique<PostedReceive>());
            all.back()->envelope = envelopes.receive(25);
            queue.post(*all.back());
            twin.insert(*all.back());
        } else if (action < 9) {
            Envelope message = envelopes.message();
            PostedReceive *expected =
                twin.find([&](PostedReceive &r) { return r.envelope.accepts(message); });
            ASSERT_EQ(queue.match(message), expected) << "step " << step;
            if (expected)
                twin.remove(*expected);
        } else if (twin.size()) {
            PostedReceive *cancelled = twin.at(envelopes.random() % twin.size());
            twin.remove(*cancelled);
            queue.remove(*cancelled);
            ASSERT_FALSE(cancelled->posted());
        }
        ASSERT_EQ(queue.size(), twin.size());
    }
    size_t walked = 0;
    for (PostedReceive *r = queue.first(); r; r = queue.next(*r))
        ASSERT_EQ(r, twin.at(walked++));
    ASSERT_EQ(walked, twin.size());
}

void unexpected_against_twin(RandomEnvelopes envelopes, size_t steps) {
    UnexpectedQueue queue;
    NaiveQueue<UnexpectedMessage> twin;
    BlockPool<UnexpectedMessage> pool;
    for (size_t step = 0; step < steps; ++step) {
        unsigned action = envelopes.random() % 10;
        if (growing(step) ? action < 7 : action < 3) {
            UnexpectedMessage &message = *new (pool.take()) UnexpectedMessage;
            message.envelope = envelopes.message();
            queue.insert(message);
            twin.insert(message);
        } else if (action < 9) {
            Envelope receive = envelopes.receive(25);
            UnexpectedMessage *expected =
                twin.find([&](UnexpectedMessage &m) { return receive.accepts(m.envelope); });
            ASSERT_EQ(queue.find(receive), expected) << "step " << step;
            ASSERT_EQ(queue.match(receive), expected) << "step " << step;
            if (expected) {
                twin.remove(*expected);
                pool.give_back(expected);
            }
        } else if (twin.size()) {
            UnexpectedMessage *cancelled = twin.at(envelopes.random() % twin.size());
            twin.remove(*cancelled);
            queue.remove(*cancelled);
            ASSERT_FALSE(cancelled->queued());
            pool.give_back(cancelled);
        }
        ASSERT_EQ(queue.size(), twin.size());
    }
}

std::vector<RandomEnvelopes> mixes(uint64_t seed) {
    auto mix = [&](int contexts, int sources, int tags) {
        return RandomEnvelopes{std::mt19937_64(seed++), contexts, sources, tags};
    };
    // Few distinct envelopes (long rings), many (long tables), one only.
    return {mix(1, 2, 2), mix(2, 30, 30), mix(3, 1000, 1000), mix(1, 1, 1), mix(1, 1, 5000)};
}

} // namespace

TEST(PostedQueue, AnIndexThatHasGrownGivesAllItsMemoryBack) {
    std::vector<PostedReceive> receives(5000);
    size_t before = 0;
    for (int round = 0; round < 20; ++round) {
        if (round == 1) // the first one may leave memory with the allocator
            before = ::mallinfo2().uordblks;
        PostedQueue queue;
        for (size_t i = 0; i < receives.size(); ++i) {
            receives[i].envelope = {1, static_cast<int>(i), 0};
            queue.post(receives[i]);
        }
        for (PostedReceive &receive : receives)
            queue.remove(receive);
        EXPECT_TRUE(queue.empty());
    }
    EXPECT_LE(::mallinfo2().uordblks, before + (256 << 10));
}

TEST(PostedQueue, AgreesWithItsNaiveTwinOnRandomTraffic) {
    for (RandomEnvelopes &mix : mixes(test_seed()))
        posted_against_twin(mix, 20000);
}

TEST(UnexpectedQueue, AgreesWithItsNaiveTwinOnRandomTraffic) {
    for (RandomEnvelopes &mix : mixes(test_seed()))
        unexpected_against_twin(mix, 20000);
}

TEST(UnexpectedQueue, FindsTheFirstMessageOfEachSourceInOrderOfArrival) {
    for (const int rounds : {1, 40}) { // walked, indexed
        UnexpectedQueue queue;
        std::vector<UnexpectedMessage> messages(static_cast<size_t>(6 * rounds));
        const int sources[] = {3, 1, 3, 2, 1, 4}, tags[] = {8, 7, 7, 7, 7, 7};
        for (size_t i = 0; i < messages.size(); ++i) {
            messages[i].envelope = {i % 6 == 5 ? 9u : 2u, sources[i % 6], tags[i % 6]};
            queue.insert(messages[i]);
        }
        const auto found = [&](uint32_t context, int tag, size_t room) {
            std::vector<UnexpectedMessage *> result(room);
            result.resize(queue.find_first_of_sources(context, tag, result.data(), room));
            std::vector<size_t> numbers;
            for (const UnexpectedMessage *message : result)
                numbers.push_back(static_cast<size_t>(message - messages.data()));
            return numbers;
        };
        using Numbers = std::vector<size_t>;
        EXPECT_EQ(found(2, MPI_ANY_TAG, 10), (Numbers{0, 1, 3}));
        EXPECT_EQ(found(2, 7, 10), (Numbers{1, 2, 3}));
        EXPECT_EQ(found(9, 7, 10), (Numbers{5}));
        EXPECT_EQ(found(2, MPI_ANY_TAG, 2), (Numbers{0, 1}));
        EXPECT_EQ(found(5, MPI_ANY_TAG, 10), (Numbers{}));
        EXPECT_NE(queue.find({2, MPI_ANY_SOURCE, MPI_ANY_TAG}), nullptr); // builds an index
        messages[0].mark_probed();
        EXPECT_TRUE(messages[0].was_probed());
        for (UnexpectedMessage &message : messages)
            queue.remove(message);
        EXPECT_TRUE(messages[0].was_probed());
        EXPECT_FALSE(messages[1].was_probed());
    }
}

TEST(PostedQueue, AMessageGoesToTheOldestReceiveWhateverItsWildcards) {
    const Envelope message{2, 5, 7};
    for (size_t padding : {size_t{0}, 2 * PostedQueue::walk_max}) { // walked, indexed
        PostedQueue queue;
        std::vector<PostedReceive> others(padding);
        for (PostedReceive &other : others) {
            other.envelope = {3, 5, 7};
            queue.post(other);
        }
        PostedReceive any_tag, exact, any, any_source;
        any_tag.envelope = {2, 5, MPI_ANY_TAG};
        exact.envelope = message;
        any.envelope = {2, MPI_ANY_SOURCE, MPI_ANY_TAG};
        any_source.envelope = {2, MPI_ANY_SOURCE, 7};
        for (PostedReceive *receive : {&any_tag, &exact, &any, &any_source})
            queue.post(*receive);
        EXPECT_EQ(queue.match(message), &any_tag);
        EXPECT_EQ(queue.match(message), &exact);
        EXPECT_EQ(queue.match(message), &any);
        EXPECT_EQ(queue.match(message), &any_source);
        EXPECT_EQ(queue.match(message), nullptr);
        for (PostedReceive &other : others)
            queue.remove(other);
    }
}

TEST(UnexpectedQueue, MessagesWithEqualEnvelopesDoNotOvertake) {
    for (size_t count : {UnexpectedQueue::walk_max / 2, 10 * UnexpectedQueue::walk_max}) {
        UnexpectedQueue queue;
        std::vector<UnexpectedMessage> messages(count);
        for (UnexpectedMessage &message : messages) {
            message.envelope = {0, 1, 2};
            queue.insert(message);
        }
        for (UnexpectedMessage &message : messages)
            EXPECT_EQ(queue.match({0, 1, 2}), &message);
        EXPECT_TRUE(queue.empty());
    }
}

TEST(UnexpectedQueue, AWildcardReceiveTakesTheOldestMessageOfItsContextOnly) {
    for (size_t padding : {size_t{0}, 2 * UnexpectedQueue::walk_max}) {
        UnexpectedQueue queue;
        std::vector<UnexpectedMessage> others(padding);
        for (UnexpectedMessage &other : others) {
            other.envelope = {9, 1, 1};
            queue.insert(other);
        }
        UnexpectedMessage first, second;
        first.envelope = {2, 8, 8};
        second.envelope = {2, 1, 1};
        queue.insert(first);
        queue.insert(second);
        EXPECT_EQ(queue.find({2, MPI_ANY_SOURCE, MPI_ANY_TAG}), &first);
        EXPECT_EQ(queue.find({2, MPI_ANY_SOURCE, 1}), &second);
        EXPECT_EQ(queue.find({2, 1, MPI_ANY_TAG}), &second);
        EXPECT_EQ(queue.match({2, MPI_ANY_SOURCE, MPI_ANY_TAG}), &first);
        EXPECT_EQ(queue.match({2, MPI_ANY_SOURCE, MPI_ANY_TAG}), &second);
        EXPECT_EQ(queue.match({2, MPI_ANY_SOURCE, MPI_ANY_TAG}), nullptr);
        for (UnexpectedMessage &other : others)
            queue.remove(other);
    }
}
