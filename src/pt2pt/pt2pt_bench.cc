// Speed of messages between two ranks: half round trip, by size, on one worker and on two; message
// rate with a window of non-blocking sends; many-to-one with unexpected messages.
#include "comm/testing/processes.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/receive.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/send.h"
#include "pt2pt/wait.h"

#include <benchmark/benchmark.h>
#include <vector>

using namespace thrum;

namespace {

TeamOptions on_workers(int workers) {
    return {.workers = workers};
}

// Time is that of rank 0, which drives the benchmark's loop. A first byte of 1 tells rank 1 to
// stop.
void half_round_trip(benchmark::State &state, int workers) {
    const Count bytes = state.range(0);
    run_processes(
        2,
        [&](Process &process) {
            Communicator &comm = *process.world;
            Datatype &byte = *find_datatype(MPI_BYTE);
            std::vector<char> buffer(static_cast<size_t>(bytes) + 1, 0);
            if (comm.rank == 1) {
                MPI_Status status;
                for (;;) {
                    (void)receive(buffer.data(), bytes, byte, 0, MPI_ANY_TAG, comm, &status);
                    if (status.MPI_TAG == 1)
                        return;
                    (void)send(buffer.data(), bytes, byte, 0, 0, comm);
                }
            }
            for (auto _ : state) {
                (void)send(buffer.data(), bytes, byte, 1, 0, comm);
                (void)receive(buffer.data(), bytes, byte, 1, 0, comm, MPI_STATUS_IGNORE);
            }
            (void)send(buffer.data(), 0, byte, 1, 1, comm);
        },
        on_workers(workers));
    state.counters["half_round_trip"] = benchmark::Counter(
        2.0, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.SetBytesProcessed(state.iterations() * 2 * bytes);
}

// Rank 0 sends `window` messages to receives that are posted beforehand, then waits for a reply.
void message_rate(benchmark::State &state, int workers) {
    constexpr int window = 64;
    run_processes(
        2,
        [&](Process &process) {
            Communicator &comm = *process.world;
            Datatype &byte = *find_datatype(MPI_BYTE);
            char data[window][8] = {};
            MPI_Request requests[window];
            bool stop = false;
            auto one_window = [&](int tag) {
                for (int i = 0; i < window; ++i) {
                    if (comm.rank == 0)
                        (void)isend(data[i], 8, byte, 1, tag, comm, SendMode::Standard,
                                    &requests[i]);
                    else
                        (void)ireceive(data[i], 8, byte, 0, MPI_ANY_TAG, comm, &requests[i]);
                }
                MPI_Status statuses[window];
                (void)wait_all(window, requests, statuses);
                stop = comm.rank == 1 && statuses[0].MPI_TAG == 1;
                if (comm.rank == 0)
                    (void)receive(data[0], 8, byte, 1, 0, comm, MPI_STATUS_IGNORE);
                else
                    (void)send(data[0], 8, byte, 0, 0, comm);
            };
            if (comm.rank == 1) {
                while (!stop)
                    one_window(0);
            } else {
                for (auto _ : state)
                    one_window(0);
                one_window(1);
            }
            (void)finish_requests_of_world(process);
        },
        on_workers(workers));
    state.SetItemsProcessed(state.iterations() * window);
}

// A rank sends itself `range` messages, then receives the youngest first.
void unexpected_messages(benchmark::State &state) {
    const int count = static_cast<int>(state.range(0));
    run_processes(
        1,
        [&](Process &process) {
            Communicator &comm = *process.world;
            Datatype &byte = *find_datatype(MPI_BYTE);
            char data[8] = {};
            for (auto _ : state) {
                for (int i = 0; i < count; ++i)
                    (void)send(data, 8, byte, 0, i, comm);
                for (int i = count; i-- > 0;)
                    (void)receive(data, 8, byte, 0, i, comm, MPI_STATUS_IGNORE);
            }
        },
        on_workers(1));
    state.SetItemsProcessed(state.iterations() * count);
}

} // namespace

#define MESSAGE_SIZES                                                                              \
    ->Arg(0)->Arg(8)->Arg(64)->Arg(1024)->Arg(8192)->Arg(65536)->Arg(1 << 20)->Arg(4 << 20)
BENCHMARK_CAPTURE(half_round_trip, one_worker, 1) MESSAGE_SIZES->UseRealTime();
BENCHMARK_CAPTURE(half_round_trip, two_workers, 2) MESSAGE_SIZES->UseRealTime();
BENCHMARK_CAPTURE(message_rate, one_worker, 1)->UseRealTime();
BENCHMARK_CAPTURE(message_rate, two_workers, 2)->UseRealTime();
BENCHMARK(unexpected_messages)->Arg(1)->Arg(100)->Arg(10000)->Arg(100000)->UseRealTime();
