// acl_send beside the bare switch of the same run; asynchronous messages; the two reductions, whose
// switch-over is binary_swap_bytes_min of global.cc.
#include "acl/global.h"
#include "acl/synchronous.h"
#include "acl/testing/partition.h"
#include "base/clock.h"
#include "fiber/context.h"

#include <benchmark/benchmark.h>
#include <vector>

namespace thrum {
namespace {

struct Bare {
    void *main_context = nullptr;
    void *other_context = nullptr;
};

void bare_switch(benchmark::State &state) {
    static Bare bare;
    alignas(64) static char stack[64 << 10];
    bare = {};
    auto entry = [](void *) {
        for (;;)
            thrum_switch_context(&bare.other_context, bare.main_context, nullptr);
    };
    bare.other_context = make_context(stack + sizeof stack, entry, nullptr);
    for (auto _ : state)
        thrum_switch_context(&bare.main_context, bare.other_context, nullptr);
    state.SetItemsProcessed(state.iterations() * 2);
}

BENCHMARK(bare_switch);

// CPU time of all workers: on a busy machine it says more than the clock on the wall.
int64_t cpu_ns() {
    timespec t;
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

// Runs part(self, i) on all PEs again and again; PE 0 keeps the time.
template <class Part>
void measure(benchmark::State &state, int elements, int workers, int rounds, Part part) {
    for (auto _ : state) {
        double seconds = 0, cpu = 0;
        run_partition(elements,
                      [&](ProcessingElement &self) {
                          char byte = 0;
                          (void)broadcast_by_tree(self, 0, &byte, 1);
                          int64_t start = now_ns(), cpu_start = cpu_ns();
                          for (int i = 0; i < rounds; ++i)
                              part(self, i);
                          if (self.address == 0) {
                              seconds = static_cast<double>(now_ns() - start) * 1e-9 / rounds;
                              cpu = static_cast<double>(cpu_ns() - cpu_start) / rounds;
                          }
                      },
                      {workers, false});
        state.SetIterationTime(seconds);
        state.counters["cpu_ns"] = cpu;
    }
}

// The time of one message: PEs 0 and 1 take turns.
void ping_pong(benchmark::State &state) {
    auto bytes = static_cast<size_t>(state.range(1));
    std::vector<char> buffers[2]{std::vector<char>(bytes), std::vector<char>(bytes)};
    measure(state, 2, static_cast<int>(state.range(0)), 200'000,
            [&](ProcessingElement &self, int i) {
                auto *data = buffers[self.address].data();
                size_t message_bytes;
                if (i % 2 == self.address)
                    (void)synchronous_send(self, {1 - self.address, data, bytes});
                else
                    (void)synchronous_receive(self, {1 - self.address, data, bytes}, message_bytes);
            });
}

BENCHMARK(ping_pong)->Args({1, 8})->Args({2, 8})->Args({1, 1024})->UseManualTime()->Iterations(5);

// The time of one message: PE 0 sends all of them.
void stream(benchmark::State &state) {
    auto bytes = static_cast<size_t>(state.range(1));
    std::vector<char> buffers[2]{std::vector<char>(bytes), std::vector<char>(bytes)};
    measure(state, 2, static_cast<int>(state.range(0)), 200'000, [&](ProcessingElement &self, int) {
        auto *data = buffers[self.address].data();
        size_t message_bytes;
        if (self.address == 0)
            (void)synchronous_send(self, {1, data, bytes});
        else
            (void)synchronous_receive(self, {0, data, bytes}, message_bytes);
    });
}

BENCHMARK(stream)->Args({1, 8})->Args({2, 8})->Args({1, 1024})->UseManualTime()->Iterations(5);

void asynchronous_ping_pong(benchmark::State &state) {
    measure(state, 2, static_cast<int>(state.range(0)), 200'000,
            [&](ProcessingElement &self, int i) {
                double data = 0;
                AsyncMessage received;
                ProcessingElement &other = self.partition.element(1 - self.address);
                if (i % 2 == self.address)
                    other.async.send(self.address, 0, &data, sizeof data);
                else
                    self.async.wait_receive({1 - self.address, 0}, &data, sizeof data, received);
            });
}

BENCHMARK(asynchronous_ping_pong)->Arg(1)->Arg(2)->UseManualTime()->Iterations(5);

void add_doubles(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; ++i)
        static_cast<double *>(result)[i] =
            static_cast<const double *>(lower)[i] + static_cast<const double *>(higher)[i];
}

template <auto algorithm>
void reduction(benchmark::State &state) {
    auto elements = static_cast<int>(state.range(0));
    auto count = static_cast<size_t>(state.range(1)) / sizeof(double);
    std::vector<std::vector<double>> arrays(static_cast<size_t>(elements),
                                            std::vector<double>(count));
    measure(state, elements, 0, 200, [&](ProcessingElement &self, int) {
        auto *data = arrays[static_cast<size_t>(self.address)].data();
        (void)algorithm(self, 0, {reinterpret_cast<char *>(data), count, 8, add_doubles});
    });
}

BENCHMARK(reduction<reduce_by_tree>)
    ->ArgsProduct({{2, 8, 32, 128}, {1 << 10, 8 << 10, 32 << 10, 128 << 10, 1 << 20}})
    ->UseManualTime()
    ->Iterations(5);
BENCHMARK(reduction<reduce_by_binary_swap>)
    ->ArgsProduct({{2, 8, 32, 128}, {1 << 10, 8 << 10, 32 << 10, 128 << 10, 1 << 20}})
    ->UseManualTime()
    ->Iterations(5);

} // namespace
} // namespace thrum
