// Measures matching one message with `range` messages or receives in the queue: flat, from 1 to
// 100,000.
#include "match/posted_queue.h"
#include "match/unexpected_queue.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

using namespace thrum;

namespace {

enum class Order { Forward, Backward, Shuffled };

std::vector<int> order_of(int count, Order order) {
    std::vector<int> tags(count);
    std::iota(tags.begin(), tags.end(), 0);
    if (order == Order::Backward)
        std::reverse(tags.begin(), tags.end());
    if (order == Order::Shuffled)
        std::shuffle(tags.begin(), tags.end(), std::mt19937(1));
    return tags;
}

// Inserts `count` messages with tags 0..count-1, then receives each of them, by tag in some order.
void unexpected(benchmark::State &state, Order order, bool any_source) {
    const int count = static_cast<int>(state.range(0));
    auto messages = std::make_unique<UnexpectedMessage[]>(count);
    const std::vector<int> tags = order_of(count, order);
    UnexpectedQueue queue;
    for (auto _ : state) {
        for (int i = 0; i < count; ++i) {
            messages[i].envelope = {0, 3, i};
            queue.insert(messages[i]);
        }
        for (int tag : tags)
            CHECK(queue.match({0, any_source ? MPI_ANY_SOURCE : 3, tag}));
    }
    state.SetItemsProcessed(state.iterations() * count);
}

// Posts `count` receives with tags 0..count-1, then matches a message to each, in some order.
void posted(benchmark::State &state, Order order, bool any_source) {
    const int count = static_cast<int>(state.range(0));
    auto receives = std::make_unique<PostedReceive[]>(count);
    const std::vector<int> tags = order_of(count, order);
    PostedQueue queue;
    for (auto _ : state) {
        for (int i = 0; i < count; ++i) {
            receives[i].envelope = {0, any_source ? MPI_ANY_SOURCE : 3, i};
            queue.post(receives[i]);
        }
        for (int tag : tags)
            CHECK(queue.match({0, 3, tag}));
    }
    state.SetItemsProcessed(state.iterations() * count);
}

// Equal messages, taken with two wildcards.
void unexpected_any(benchmark::State &state) {
    const int count = static_cast<int>(state.range(0));
    auto messages = std::make_unique<UnexpectedMessage[]>(count);
    UnexpectedQueue queue;
    for (auto _ : state) {
        for (int i = 0; i < count; ++i) {
            messages[i].envelope = {0, i, i};
            queue.insert(messages[i]);
        }
        for (int i = 0; i < count; ++i)
            CHECK(queue.match({0, MPI_ANY_SOURCE, MPI_ANY_TAG}) == &messages[i]);
    }
    state.SetItemsProcessed(state.iterations() * count);
}

} // namespace

#define SIZES ->Arg(1)->Arg(16)->Arg(32)->Arg(64)->Arg(1000)->Arg(100000)
BENCHMARK_CAPTURE(unexpected, forward, Order::Forward, false) SIZES;
BENCHMARK_CAPTURE(unexpected, backward, Order::Backward, false) SIZES;
BENCHMARK_CAPTURE(unexpected, shuffled, Order::Shuffled, false) SIZES;
BENCHMARK_CAPTURE(unexpected, shuffled_any_source, Order::Shuffled, true) SIZES;
BENCHMARK(unexpected_any) SIZES;
BENCHMARK_CAPTURE(posted, forward, Order::Forward, false) SIZES;
BENCHMARK_CAPTURE(posted, backward, Order::Backward, false) SIZES;
BENCHMARK_CAPTURE(posted, shuffled, Order::Shuffled, false) SIZES;
BENCHMARK_CAPTURE(posted, shuffled_any_source, Order::Shuffled, true) SIZES;
