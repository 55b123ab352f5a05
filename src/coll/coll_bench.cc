// Measures barrier, bcast and allreduce, blocking and non-blocking (begun and waited for), by
// number of ranks and workers.
#include "base/clock.h"
#include "coll/testing/blocking_forms.h"
#include "comm/testing/processes.h"
#include "pending/request.h"
#include "pt2pt/wait.h"

#include <benchmark/benchmark.h>
#include <vector>

namespace thrum {
namespace {

// Returns the CPU time of all workers, which on a busy machine says more than elapsed time.
int64_t cpu_ns() {
    timespec t;
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

// Runs operation(comm) repeatedly on all ranks; rank 0 measures the time.
template <class Operation>
void measure(benchmark::State &state, Operation operation) {
    int ranks = static_cast<int>(state.range(0));
    int repetitions = ranks <= 64 ? 20000 : 1000;
    for (auto _ : state) {
        double seconds = 0, cpu = 0;
        auto body = [&](Process &process) {
            Communicator &comm = *process.world;
            for (int i = 0; i < repetitions / 10; ++i)
                operation(comm);
            (void)barrier(comm);
            int64_t start = now_ns(), cpu_start = cpu_ns();
            for (int i = 0; i < repetitions; ++i)
                operation(comm);
            (void)barrier(comm);
            if (comm.rank == 0) {
                seconds = static_cast<double>(now_ns() - start) * 1e-9 / repetitions;
                cpu = static_cast<double>(cpu_ns() - cpu_start) / repetitions / ranks;
            }
        };
        run_processes(ranks, body, {static_cast<int>(state.range(1)), false});
        state.SetIterationTime(seconds);
        state.counters["cpu_ns_per_rank"] = cpu;
    }
}

void barrier_of(benchmark::State &state) {
    measure(state, [](Communicator &comm) { (void)barrier(comm); });
}

void bcast_8_bytes_of(benchmark::State &state) {
    measure(state, [](Communicator &comm) {
        double value = 1;
        (void)broadcast(comm, {reinterpret_cast<char *>(&value), 1, find_datatype(MPI_DOUBLE)}, 0);
    });
}

void allreduce_doubles_of(benchmark::State &state) {
    auto count = static_cast<size_t>(state.range(2));
    measure(state, [count](Communicator &comm) {
        thread_local std::vector<double> send, receive;
        send.resize(count), receive.resize(count);
        (void)allreduce(comm, {send.data(), receive.data(), static_cast<Count>(count),
                               *find_datatype(MPI_DOUBLE), *find_op(MPI_SUM)});
    });
}

void run_nonblocking(Communicator &comm, const CollectiveCall &call) {
    MPI_Request request;
    begin_collective(*collective_of(comm, call, NonblockingForm).release(), &request);
    (void)wait(request, MPI_STATUS_IGNORE);
}

void ibarrier_of(benchmark::State &state) {
    measure(state,
            [](Communicator &comm) { run_nonblocking(comm, CollectiveCall(Collective::Barrier)); });
}

void ibcast_8_bytes_of(benchmark::State &state) {
    measure(state, [](Communicator &comm) {
        double value = 1;
        Blocks block = Blocks::equal(&value, 1, *find_datatype(MPI_DOUBLE));
        bool root = comm.rank == 0;
        run_nonblocking(comm,
                        {Collective::Bcast, 0, root ? block : Blocks(), root ? Blocks() : block});
    });
}

void iallreduce_doubles_of(benchmark::State &state) {
    auto count = static_cast<size_t>(state.range(2));
    measure(state, [count](Communicator &comm) {
        thread_local std::vector<double> send, receive;
        send.resize(count), receive.resize(count);
        run_nonblocking(comm, {Collective::Allreduce, -1,
                               Vector{send.data(), receive.data(), static_cast<Count>(count),
                                      *find_datatype(MPI_DOUBLE), *find_op(MPI_SUM)}});
    });
}

void sizes(benchmark::internal::Benchmark *b) {
    for (int workers : {1, 2})
        for (int ranks : {2, 16, 64, 1024})
            b->Args({ranks, workers});
    b->ArgNames({"ranks", "workers"})
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMicrosecond);
}

void vectors(benchmark::internal::Benchmark *b) {
    for (int ranks : {2, 64, 1024})
        for (int count : {1, 512, 1024, 4096})
            b->Args({ranks, 2, count});
    b->ArgNames({"ranks", "workers", "count"})
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
}

BENCHMARK(barrier_of)->Apply(sizes);
BENCHMARK(ibarrier_of)->Apply(sizes);
BENCHMARK(bcast_8_bytes_of)->Apply(sizes);
BENCHMARK(ibcast_8_bytes_of)->Apply(sizes);
BENCHMARK(allreduce_doubles_of)->Apply(vectors);
BENCHMARK(iallreduce_doubles_of)->Apply(vectors);

} // namespace
} // namespace thrum
