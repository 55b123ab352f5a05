// Random programs of all operations from a seed, against a sequential model. The plan is one list
// of steps; every PE does its part of each step, in the order of the list, so that synchronous
// messages cannot deadlock and the model is the list done by one.
#include "acl/asynchronous.h"
#include "acl/global.h"
#include "acl/synchronous.h"
#include "acl/testing/partition.h"
#include "base/testing/seed.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

using namespace thrum;

namespace {

void ok(Error error) {
    ASSERT_EQ(error.code(), 0) << error_detail(error.code());
}

struct Step {
    enum class Kind { Send, Ring, AsyncSend, AsyncReceive, Broadcast, Tree, Swap } kind{};
    int number = 0; // of the message, whose content it gives
    int source = 0, dest = 0, tag = 0;
    bool any_tag = false;    // AsyncReceive
    size_t words = 0;        // length of the message
    std::vector<int> ring{}; // each sends to the next
};

uint32_t word_of(int number, size_t i) {
    return static_cast<uint32_t>(number) * 2654435761u + static_cast<uint32_t>(i) * 40503u;
}

std::vector<uint32_t> content(int number, size_t words) {
    std::vector<uint32_t> data(words);
    for (size_t i = 0; i < words; ++i)
        data[i] = word_of(number, i);
    return data;
}

class Planner {
public:
    Planner(uint64_t seed, int size) : random_(seed), size_(size) {}

    std::vector<Step> plan(int steps) {
        for (int i = 0; i < steps; ++i)
            add(i);
        while (!pending_.empty())
            receive_one(static_cast<int>(plan_.size()));
        return std::move(plan_);
    }

private:
    int below(size_t limit) { return static_cast<int>(random_() % limit); }

    size_t length() {
        constexpr size_t classes[] = {1, 3, 300, 5000};
        return random_() % classes[random_() % 4];
    }

    void add(int number) {
        Step step;
        step.number = number;
        step.kind = static_cast<Step::Kind>(below(7));
        step.words = length();
        step.source = below(static_cast<size_t>(size_));
        step.dest = below(static_cast<size_t>(size_));
        step.tag = below(3);
        switch (step.kind) {
        case Step::Kind::Send:
            if (step.dest == step.source)
                return;
            break;
        case Step::Kind::Ring:
            step.ring.resize(static_cast<size_t>(size_));
            std::iota(step.ring.begin(), step.ring.end(), 0);
            std::shuffle(step.ring.begin(), step.ring.end(), random_);
            step.ring.resize(1 + random_() % step.ring.size());
            break;
        case Step::Kind::AsyncSend:
            pending_.push_back(step);
            break;
        case Step::Kind::AsyncReceive:
            if (!pending_.empty())
                receive_one(number);
            return;
        default:
            break;
        }
        plan_.push_back(step);
    }

    // The model: any pending message may be asked for; the oldest that matches is got.
    void receive_one(int) {
        Step wanted = pending_[random_() % pending_.size()];
        wanted.any_tag = below(2) == 0;
        auto oldest = std::find_if(pending_.begin(), pending_.end(), [&](const Step &sent) {
            return sent.source == wanted.source && sent.dest == wanted.dest &&
                   (wanted.any_tag || sent.tag == wanted.tag);
        });
        Step step = *oldest;
        pending_.erase(oldest);
        step.kind = Step::Kind::AsyncReceive;
        step.any_tag = wanted.any_tag;
        plan_.push_back(step);
    }

    std::mt19937_64 random_;
    int size_;
    std::vector<Step> plan_;
    std::deque<Step> pending_; // sent asynchronously, in the order of the list
};

void add_words(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; ++i) // associative, and does not commute
        static_cast<uint32_t *>(result)[i] = static_cast<const uint32_t *>(lower)[i] == 0
                                                 ? static_cast<const uint32_t *>(higher)[i]
                                                 : static_cast<const uint32_t *>(lower)[i];
}

void do_send(ProcessingElement &self, const Step &step) {
    std::vector<uint32_t> data = content(step.number, step.words);
    if (self.address == step.source)
        ok(synchronous_send(self, {step.dest, data.data(), 4 * step.words}));
    if (self.address != step.dest)
        return;
    std::vector<uint32_t> room(step.words + 2, 1);
    size_t bytes = 0;
    ok(synchronous_receive(self, {step.source, room.data(), 4 * room.size()}, bytes));
    ASSERT_EQ(bytes, 4 * step.words);
    ASSERT_TRUE(std::equal(data.begin(), data.end(), room.begin()));
    ASSERT_EQ(room[step.words], 1u);
}

void do_ring(ProcessingElement &self, const Step &step) {
    auto place = std::find(step.ring.begin(), step.ring.end(), self.address);
    if (place == step.ring.end())
        return;
    size_t at = static_cast<size_t>(place - step.ring.begin()), length = step.ring.size();
    int dest = step.ring[(at + 1) % length], source = step.ring[(at + length - 1) % length];
    std::vector<uint32_t> data = content(step.number + self.address, step.words);
    std::vector<uint32_t> room(step.words);
    size_t bytes = 0;
    ok(send_and_receive(self, {dest, data.data(), 4 * step.words},
                        {source, room.data(), 4 * step.words}, bytes));
    ASSERT_EQ(bytes, 4 * step.words);
    ASSERT_EQ(room, content(step.number + source, step.words));
}

void do_async(ProcessingElement &self, const Step &step) {
    std::vector<uint32_t> data = content(step.number, step.words);
    if (step.kind == Step::Kind::AsyncSend) {
        if (self.address == step.source) {
            asynchronous_send(self, step.dest, step.tag, data.data(), 4 * step.words);
        }
    } else if (self.address == step.dest) {
        std::vector<uint32_t> room(step.words);
        AsyncMessage received;
        self.async.wait_receive({step.source, step.any_tag ? -1 : step.tag}, room.data(),
                                4 * step.words, received);
        ASSERT_EQ(received.tag, step.tag);
        ASSERT_EQ(received.size_bytes, 4 * step.words);
        ASSERT_EQ(room, data);
    }
}

void do_global(ProcessingElement &self, const Step &step) {
    const int root = step.source;
    std::vector<uint32_t> data(step.words);
    if (step.kind == Step::Kind::Broadcast) {
        if (self.address == root)
            data = content(step.number, step.words);
        ok(broadcast_by_tree(self, root, data.data(), 4 * step.words));
        ASSERT_EQ(data, content(step.number, step.words));
        return;
    }
    // Element i is that of the first PE which is not i's neighbour modulo 3.
    auto of = [&](int address, size_t i) {
        bool absent = (static_cast<size_t>(address) + i) % 3 == 0;
        return absent ? 0 : word_of(step.number + address, i) | 1;
    };
    for (size_t i = 0; i < step.words; ++i)
        data[i] = of(self.address, i);
    ReduceArray array{reinterpret_cast<char *>(data.data()), step.words, 4, add_words};
    ok(step.kind == Step::Kind::Tree ? reduce_by_tree(self, root, array)
                                     : reduce_by_binary_swap(self, root, array));
    for (size_t i = 0; self.address == root && i < step.words; ++i) {
        uint32_t model = 0;
        for (int address = 0; address < self.partition.size && model == 0; ++address)
            model = of(address, i);
        ASSERT_EQ(data[i], model);
    }
}

void run_plan(ProcessingElement &self, const std::vector<Step> &plan) {
    for (const Step &step : plan) {
        switch (step.kind) {
        case Step::Kind::Send:
            do_send(self, step);
            break;
        case Step::Kind::Ring:
            do_ring(self, step);
            break;
        case Step::Kind::AsyncSend:
        case Step::Kind::AsyncReceive:
            do_async(self, step);
            break;
        default:
            do_global(self, step);
        }
        if (::testing::Test::HasFatalFailure())
            return;
    }
}

void random_programs(const TeamOptions &options) {
    std::mt19937_64 seeds(thrum::testing::test_seed());
    for (int size : {1, 2, 3, 8, 21}) {
        std::vector<Step> plan = Planner(seeds(), size).plan(1500);
        run_partition(size, [&](ProcessingElement &self) { run_plan(self, plan); }, options);
    }
}

TEST(RandomMessages, AgreeWithTheModelOnOneWorker) {
    random_programs({1, false});
}

TEST(RandomMessages, AgreeWithTheModelOnTwoWorkers) {
    random_programs({2, false});
}

TEST(RandomMessages, AgreeWithTheModelOnOsThreads) {
    random_programs({0, true});
}

} // namespace
