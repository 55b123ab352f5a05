// Measures a message between processes of a node, and its limits: a futex hand-over between two
// processes, and memcpy. The peer is a forked process that echoes.
//   taskset -c 0 ... makes both share a core.
#include "base/clock.h"
#include "fabric/testing/node_processes.h"
#include "fiber/completion.h"

#include <benchmark/benchmark.h>
#include <linux/futex.h>
#include <sys/syscall.h>

namespace thrum {
namespace {

using testing::shared_state;

struct Echo {
    Completion here;
    uint32_t bytes = 0;

    static void take(void *self, const Arrival &arrival) {
        auto &echo = *static_cast<Echo *>(self);
        echo.bytes = static_cast<uint32_t>(arrival.payload_bytes);
        echo.here.complete();
    }

    void wait() {
        here.wait();
        here.reset();
    }

    static void send(int to, const void *bytes, size_t count) {
        iovec part{const_cast<void *>(bytes), count};
        char header[40] = {};
        fabric_send(NodeProcess(to), Channel::PointToPoint, MessageKind::Test, header,
                    sizeof header, &part, 1);
    }
};

// Runs `play(me, rounds)` in two processes; the benchmark measures process 0.
void run_pair(benchmark::State &state, uint64_t rounds, void (*play)(int me, uint64_t rounds)) {
    for (auto _ : state) {
        testing::run_processes(2,
                               [&](int me) {
                                   play(me, 100);
                                   int64_t start = now_ns();
                                   play(me, rounds);
                                   if (me == 0)
                                       shared_state->words[0].store(
                                           static_cast<uint64_t>(now_ns() - start));
                               },
                               {});
        state.SetIterationTime(static_cast<double>(shared_state->words[0].load()) / 1e9 /
                               static_cast<double>(rounds));
    }
}

size_t payload_bytes = 0;

// Measures half a round trip of a message.
void half_round_trip(benchmark::State &state) {
    payload_bytes = static_cast<size_t>(state.range(0));
    run_pair(state, 20'000, [](int me, uint64_t rounds) {
        static Echo echo;
        static std::vector<char> bytes(payload_bytes);
        set_arrive_function(MessageKind::Test, &Echo::take, &echo);
        for (uint64_t i = 0; i < rounds; ++i) {
            if (i % 2 == static_cast<uint64_t>(me))
                Echo::send(1 - me, bytes.data(), bytes.size());
            else
                echo.wait();
        }
    });
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK(half_round_trip)->Arg(8)->Arg(1024)->Arg(16384)->UseManualTime()->Iterations(3);

// Measures the limit for processes that sleep: a word in shared memory and futex(2).
void futex_hand_over(benchmark::State &state) {
    run_pair(state, 20'000, [](int me, uint64_t rounds) {
        auto *words = reinterpret_cast<std::atomic<uint32_t> *>(&shared_state->words[8]);
        auto futex = [](std::atomic<uint32_t> &word, int what, uint32_t value) {
            ::syscall(SYS_futex, &word, what, value, nullptr, nullptr, 0);
        };
        for (uint64_t i = 0; i < rounds; ++i) {
            auto &mine = words[16 * me], &other = words[16 * (1 - me)];
            if (i % 2 == static_cast<uint64_t>(me)) {
                other.store(1, std::memory_order_release);
                futex(other, FUTEX_WAKE, 1);
            } else {
                while (mine.load(std::memory_order_acquire) == 0)
                    futex(mine, FUTEX_WAIT, 0);
                mine.store(0, std::memory_order_relaxed);
            }
        }
    });
}

BENCHMARK(futex_hand_over)->UseManualTime()->Iterations(3);

// Measures fabric_read of 1 MB that the peer has just written, beside memcpy of it inside a
// process.
void read_of_memory(benchmark::State &state) {
    for (auto _ : state) {
        testing::run_processes(
            2,
            [&](int me) {
                constexpr size_t bytes = 1 << 20;
                constexpr int rounds = 400;
                static std::vector<char> memory(bytes, 1), into(bytes, 2);
                static Echo echo;
                static RemoteMemory remote;
                set_arrive_function(
                    MessageKind::Test,
                    [](void *argument, const Arrival &arrival) {
                        std::memcpy(&remote, arrival.header, sizeof remote);
                        static_cast<Echo *>(argument)->here.complete();
                    },
                    &echo);
                if (me == 1) {
                    remote = fabric_expose(memory.data(), bytes);
                    fabric_send(NodeProcess(0), Channel::PointToPoint, MessageKind::Test, &remote,
                                sizeof remote);
                    echo.wait();
                    return;
                }
                echo.wait();
                int64_t start = now_ns();
                for (int i = 0; i < rounds; ++i)
                    fabric_read(
                        NodeProcess(1), remote, 0, into.data(), bytes, [](void *, bool) {},
                        nullptr);
                int64_t middle = now_ns();
                for (int i = 0; i < rounds; ++i) {
                    std::memcpy(into.data(), memory.data(), bytes);
                    benchmark::DoNotOptimize(into.data());
                    benchmark::ClobberMemory();
                }
                shared_state->words[0].store(static_cast<uint64_t>(middle - start) / rounds);
                shared_state->words[1].store(static_cast<uint64_t>(now_ns() - middle) / rounds);
                fabric_send(NodeProcess(1), Channel::PointToPoint, MessageKind::Test, &remote,
                            sizeof remote);
            },
            {});
        state.SetIterationTime(static_cast<double>(shared_state->words[0].load()) / 1e9);
    }
    state.counters["of_memcpy"] = static_cast<double>(shared_state->words[1].load()) /
                                  static_cast<double>(shared_state->words[0].load());
}

BENCHMARK(read_of_memory)->UseManualTime()->Iterations(5);

} // namespace
} // namespace thrum
