// Measures one-sided operations inside an MPI_Win_lock_all epoch, beside a plain copy and a plain
// atomic addition of the same size.
#include "base/clock.h"
#include "comm/testing/processes.h"
#include "datatype/constructors.h"
#include "rma/accumulate.h"
#include "rma/epoch.h"
#include "rma/window_lifecycle.h"

#include <benchmark/benchmark.h>
#include <cstring>
#include <vector>

namespace thrum {
namespace {

// Runs operation(win, target) repeatedly in rank 0 of two; the measured time is that of one.
template <class Operation>
void measure(benchmark::State &state, MPI_Aint size_bytes, Operation operation) {
    constexpr int repetitions = 20000;
    for (auto _ : state) {
        double seconds = 0;
        auto body = [&](Process &process) {
            Window *win = nullptr;
            WindowRequest request{MPI_WIN_FLAVOR_ALLOCATE, nullptr, size_bytes, 1, nullptr};
            (void)make_window(*process.world, request, win);
            if (process.world_rank() == 0) {
                (void)lock_all(*win, 0);
                for (int i = 0; i < repetitions / 10; ++i)
                    operation(*win);
                int64_t start = now_ns();
                for (int i = 0; i < repetitions; ++i)
                    operation(*win);
                seconds = static_cast<double>(now_ns() - start) * 1e-9 / repetitions;
                (void)unlock_all(*win);
            }
            (void)free_window(*win);
        };
        run_processes(2, body, {2, false});
        state.SetIterationTime(seconds);
    }
}

void put_8_bytes(benchmark::State &state) {
    int64_t value = 1;
    Datatype &type = *find_datatype(MPI_INT64_T);
    measure(state, 64, [&](Window &win) { (void)put({&value, 1, type}, {1, 8, 1, type}, win); });
}

void put_and_flush_8_bytes(benchmark::State &state) {
    int64_t value = 1;
    Datatype &type = *find_datatype(MPI_INT64_T);
    measure(state, 64, [&](Window &win) {
        (void)put({&value, 1, type}, {1, 8, 1, type}, win);
        (void)flush(win, 1);
    });
}

void get_8_bytes(benchmark::State &state) {
    int64_t value = 1;
    Datatype &type = *find_datatype(MPI_INT64_T);
    measure(state, 64, [&](Window &win) { (void)get({&value, 1, type}, {1, 8, 1, type}, win); });
}

void accumulate_doubles(benchmark::State &state) {
    auto count = state.range(0);
    std::vector<double> ones(static_cast<size_t>(count), 1.0);
    Datatype &type = *find_datatype(MPI_DOUBLE);
    measure(state, count * 8, [&](Window &win) {
        (void)accumulate({ones.data(), count, type}, {1, 0, count, type}, *find_op(MPI_SUM), win);
    });
}

void fetch_and_add_8_bytes(benchmark::State &state) {
    int64_t one = 1, old;
    Datatype &type = *find_datatype(MPI_INT64_T);
    measure(state, 64, [&](Window &win) {
        (void)fetch_and_op(&one, &old, {1, 8, 1, type}, *find_op(MPI_SUM), win);
    });
}

void compare_and_swap_8_bytes(benchmark::State &state) {
    int64_t one = 1, zero = 0, old;
    Datatype &type = *find_datatype(MPI_INT64_T);
    measure(state, 64,
            [&](Window &win) { (void)compare_and_swap(&one, &zero, &old, {1, 8, 1, type}, win); });
}

void lock_put_unlock_8_bytes(benchmark::State &state) {
    int64_t value = 1;
    Datatype &type = *find_datatype(MPI_INT64_T);
    for (auto _ : state) {
        double seconds = 0;
        auto body = [&](Process &process) {
            constexpr int repetitions = 20000;
            Window *win = nullptr;
            WindowRequest request{MPI_WIN_FLAVOR_ALLOCATE, nullptr, 64, 1, nullptr};
            (void)make_window(*process.world, request, win);
            int64_t start = now_ns();
            for (int i = 0; i < repetitions && process.world_rank() == 0; ++i) {
                (void)lock(*win, MPI_LOCK_EXCLUSIVE, 1, 0);
                (void)put({&value, 1, type}, {1, 8, 1, type}, *win);
                (void)unlock(*win, 1);
            }
            if (process.world_rank() == 0)
                seconds = static_cast<double>(now_ns() - start) * 1e-9 / repetitions;
            (void)free_window(*win);
        };
        run_processes(2, body, {2, false});
        state.SetIterationTime(seconds);
    }
}

// A column of a square matrix of doubles.
void put_column(benchmark::State &state) {
    auto n = state.range(0);
    Datatype &type = *find_datatype(MPI_DOUBLE);
    Datatype *column = nullptr;
    (void)new_vector(n, 1, n, type, column);
    column->committed = true;
    std::vector<double> row(static_cast<size_t>(n), 1.0);
    measure(state, n * n * 8,
            [&](Window &win) { (void)put({row.data(), n, type}, {1, 8, 1, *column}, win); });
    release(*column);
}

void column_by_hand(benchmark::State &state) {
    auto n = state.range(0);
    std::vector<double> row(static_cast<size_t>(n), 1.0);
    measure(state, n * n * 8, [&](Window &win) {
        auto *memory = reinterpret_cast<double *>(win.parts[1].base) + 1;
        for (int64_t i = 0; i < n; ++i)
            memory[i * n] = row[static_cast<size_t>(i)];
        benchmark::ClobberMemory();
    });
}

void copy_8_bytes(benchmark::State &state) {
    int64_t value = 1;
    measure(state, 64, [&](Window &win) {
        std::memcpy(win.parts[1].base + 8, &value, 8);
        benchmark::ClobberMemory();
    });
}

void atomic_add_8_bytes(benchmark::State &state) {
    measure(state, 64, [&](Window &win) {
        std::atomic_ref<int64_t>(*reinterpret_cast<int64_t *>(win.parts[1].base + 8))
            .fetch_add(1, std::memory_order_seq_cst);
    });
}

void settings(benchmark::internal::Benchmark *b) {
    b->UseManualTime()->Iterations(5)->Unit(benchmark::kNanosecond);
}

BENCHMARK(copy_8_bytes)->Apply(settings);
BENCHMARK(put_8_bytes)->Apply(settings);
BENCHMARK(put_and_flush_8_bytes)->Apply(settings);
BENCHMARK(get_8_bytes)->Apply(settings);
BENCHMARK(lock_put_unlock_8_bytes)->Apply(settings);
BENCHMARK(atomic_add_8_bytes)->Apply(settings);
BENCHMARK(fetch_and_add_8_bytes)->Apply(settings);
BENCHMARK(compare_and_swap_8_bytes)->Apply(settings);
BENCHMARK(accumulate_doubles)->Apply(settings)->Arg(1)->Arg(1024)->Arg(1 << 17);
BENCHMARK(column_by_hand)->Apply(settings)->Arg(100)->Arg(1000);
BENCHMARK(put_column)->Apply(settings)->Arg(100)->Arg(1000);

} // namespace
} // namespace thrum
