// C++20 coroutines suspended over switches of ranks, and range views over globals.
// ranks: 8 64
#include "torture.h"

#include <algorithm>
#include <coroutine>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

static int frames_living, resumed;
static int step = 1;

struct Sequence {
    struct promise_type {
        int current = 0;

        promise_type() { ++frames_living; }

        ~promise_type() { --frames_living; }

        Sequence get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }

        std::suspend_always initial_suspend() noexcept { return {}; }

        std::suspend_always final_suspend() noexcept { return {}; }

        std::suspend_always yield_value(int value) noexcept {
            current = value;
            return {};
        }

        void return_void() {}

        void unhandled_exception() { throw; }
    };

    std::coroutine_handle<promise_type> handle;

    Sequence(std::coroutine_handle<promise_type> h) : handle(h) {}

    Sequence(Sequence &&other) noexcept : handle(std::exchange(other.handle, {})) {}

    ~Sequence() {
        if (handle)
            handle.destroy();
    }

    int next() {
        ++resumed;
        handle.resume();
        return handle.promise().current;
    }
};

static Sequence count_from(int first) {
    static int started = 0;
    ++started;
    for (int i = first;; i += step)
        co_yield i + 1000 * started;
}

static Sequence global_sequence = count_from(5);
static std::vector<int> numbers = {5, 3, 8, 1, 9, 2};
static std::span<int> middle(numbers.data() + 1, 4);
static auto even = numbers | std::views::filter([](int x) { return x % 2 == 0; });

int main(int argc, char **argv) {
    CHECK(frames_living == 1 && resumed == 0 && middle[0] == 3 && std::ranges::distance(even) == 2);
    CHECK_EQUAL(global_sequence.next(), 1005);
    int rank = start(&argc, &argv);
    step += rank;
    Sequence own = count_from(rank);
    for (int i = 0; i < 4; ++i) {
        let_others_run();
        CHECK_EQUAL(own.next(), 2000 + rank + i * (1 + rank));
        // The coroutine reads its count of starts anew: two by now.
        CHECK_EQUAL(global_sequence.next(), 2005 + (i + 1) * (1 + rank));
    }
    CHECK(resumed == 9 && frames_living == 2);
    std::ranges::sort(numbers, [&](int a, int b) { return rank & 1 ? a > b : a < b; });
    middle[1] += rank;
    let_others_run();
    CHECK(numbers.front() == (rank & 1 ? 9 : 1) && numbers[2] == (rank & 1 ? 5 : 3) + rank);
    auto sum = std::accumulate(numbers.begin(), numbers.end(), 0);
    CHECK_EQUAL(sum, 28 + rank);
    auto doubled =
        numbers | std::views::transform([](int x) { return x * step; }) | std::views::take(2);
    CHECK_EQUAL(*doubled.begin(), (rank & 1 ? 9 : 1) * (1 + rank));
    return finish();
}
