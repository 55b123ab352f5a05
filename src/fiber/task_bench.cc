// The costs on which the message path is built: a bare switch, a switch with its FS base, a
// hand-over through a Completion on one worker and between two.
#include "fiber/completion.h"
#include "fiber/context.h"
#include "fiber/testing/team.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

namespace thrum {
namespace {

struct Ring {
    std::vector<std::unique_ptr<Task>> tasks;
    std::vector<Task *> pointers;

    explicit Ring(int count) {
        for (int i = 0; i < count; ++i) {
            tasks.push_back(std::make_unique<Task>());
            pointers.push_back(tasks.back().get());
        }
    }
};

// `switches` yields in a ring of `count` fibers on one worker.
void yield_in_a_ring(benchmark::State &state) {
    int count = static_cast<int>(state.range(0));
    constexpr int rounds = 1000;
    for (auto _ : state) {
        Ring ring(count);
        auto spin = [](void *, int) {
            for (int i = 0; i < rounds; ++i)
                yield();
        };
        run_team(count, ring.pointers.data(), spin, nullptr, {1, false, 64 << 10});
    }
    state.SetItemsProcessed(state.iterations() * count * rounds);
}

BENCHMARK(yield_in_a_ring)->Arg(2)->Arg(64)->Arg(1000)->UseRealTime();

void hand_over(benchmark::State &state) {
    constexpr int rounds = 100'000;

    struct Pair {
        alignas(128) Completion to[2];
    };

    for (auto _ : state) {
        Ring ring(2);
        Pair pair;
        auto play = [](void *argument, int me) {
            Completion *to = static_cast<Pair *>(argument)->to;
            for (int i = 0; i < rounds; ++i) {
                if (i % 2 == me) {
                    to[1 - me].complete();
                } else {
                    to[me].wait();
                    to[me].reset();
                }
            }
        };
        run_team(2, ring.pointers.data(), play, &pair,
                 {static_cast<int>(state.range(0)), false, 64 << 10});
    }
    state.SetItemsProcessed(state.iterations() * rounds);
}

BENCHMARK(hand_over)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

// The floor: two contexts and nothing else.
struct Bare {
    void *main_context = nullptr;
    void *other_context = nullptr;
    void *thread_pointer = nullptr;
};

void bare_switch(benchmark::State &state) {
    static Bare bare;
    alignas(64) static char stack[64 << 10];
    bare = {};
    if (state.range(0))
        __asm__("movq %%fs:16, %0"
                : "=r"(bare.thread_pointer)); // set to what it is: the cost is the same
    auto entry = [](void *) {
        for (;;)
            thrum_switch_context(&bare.other_context, bare.main_context, bare.thread_pointer);
    };
    bare.other_context = make_context(stack + sizeof stack, entry, nullptr);
    for (auto _ : state)
        thrum_switch_context(&bare.main_context, bare.other_context, bare.thread_pointer);
    state.SetItemsProcessed(state.iterations() * 2);
}

BENCHMARK(bare_switch)->ArgName("with_fs_base")->Arg(0)->Arg(1);

} // namespace
} // namespace thrum
