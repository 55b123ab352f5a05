// Measures copies of non-contiguous data against memcpy of as many bytes.
#include "datatype/constructors.h"
#include "datatype/layout.h"

#include <benchmark/benchmark.h>
#include <cstring>
#include <vector>

using namespace thrum;

namespace {

constexpr size_t data_size = 1 << 18; // fits in the second-level cache

Datatype &type_of(MPI_Datatype handle) {
    return *find_datatype(handle);
}

void report(benchmark::State &state) {
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * data_size);
}

void memcpy_dense(benchmark::State &state) {
    std::vector<char> from(data_size), to(data_size);
    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), data_size);
        benchmark::ClobberMemory();
    }
    report(state);
}

// The least that a strided copy can cost: a loop as in a program.
void loop_strided_doubles(benchmark::State &state) {
    std::vector<double> from(data_size / 4), to(data_size / 8);
    for (auto _ : state) {
        for (size_t i = 0; i < to.size(); ++i)
            to[i] = from[2 * i];
        benchmark::ClobberMemory();
    }
    report(state);
}

void pack(benchmark::State &state, Datatype &type) {
    Count count = static_cast<Count>(data_size) / type.size_bytes;
    std::vector<char> from(static_cast<size_t>(count * type.extent + type.true_extent));
    std::vector<char> to(data_size);
    for (auto _ : state) {
        pack_bytes(from.data(), count, type, 0, data_bytes(count, type), to.data());
        benchmark::ClobberMemory();
    }
    report(state);
}

// state.range(0): doubles in a block; half of the memory is gaps.
void pack_vector(benchmark::State &state) {
    Count block = state.range(0);
    Datatype *type;
    if (new_vector(static_cast<Count>(data_size) / (8 * block), block, 2 * block,
                   type_of(MPI_DOUBLE), type))
        return;
    pack(state, *type);
    release(*type);
}

void pack_structs(benchmark::State &state) {
    Count lengths[] = {1, 3, 1};
    Count places[] = {0, 8, 24};
    Datatype *types[] = {&type_of(MPI_INT), &type_of(MPI_INT), &type_of(MPI_DOUBLE)};
    Datatype *type;
    if (new_struct(3, lengths, places, types, type))
        return;
    pack(state, *type);
    release(*type);
}

// The common case: both sides have the same datatype.
void copy_structs(benchmark::State &state) {
    Count lengths[] = {1, 3, 1};
    Count places[] = {0, 8, 24};
    Datatype *types[] = {&type_of(MPI_INT), &type_of(MPI_INT), &type_of(MPI_DOUBLE)};
    Datatype *type;
    if (new_struct(3, lengths, places, types, type))
        return;
    Count count = static_cast<Count>(data_size) / type->size_bytes;
    std::vector<char> from(static_cast<size_t>(count * type->extent)), to(from.size());
    for (auto _ : state) {
        copy_typed(from.data(), count, *type, to.data(), count, *type);
        benchmark::ClobberMemory();
    }
    report(state);
    release(*type);
}

// Boundary plane of a cube: doubles far apart in rows.
void pack_plane(benchmark::State &state) {
    Count sizes[] = {64, 64, 64}, parts[] = {64, 64, 1}, starts[] = {0, 0, 5};
    Datatype *type;
    if (new_subarray(3, sizes, parts, starts, MPI_ORDER_C, type_of(MPI_DOUBLE), type))
        return;
    pack(state, *type);
    release(*type);
}

void pack_irregular(benchmark::State &state) {
    std::vector<Count> lengths, places;
    Count place = 0;
    for (int i = 0; i < 1000; ++i) {
        lengths.push_back(1 + i * 7 % 5);
        places.push_back(place);
        place += lengths.back() + 1 + i % 3;
    }
    Datatype *type;
    if (new_indexed(1000, lengths.data(), places.data(), type_of(MPI_DOUBLE), type))
        return;
    pack(state, *type);
    release(*type);
}

void transpose_typed(benchmark::State &state) {
    constexpr Count n = 128;
    Datatype *column, *columns, *padded;
    if (new_vector(n, 1, n, type_of(MPI_DOUBLE), column) || new_resized(*column, 0, 8, columns) ||
        new_vector(n, n, n + 1, type_of(MPI_DOUBLE), padded))
        return;
    std::vector<double> from(n * n), to(n * (n + 1));
    for (auto _ : state) {
        copy_typed(from.data(), n, *columns, to.data(), 1, *padded);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * n * n * 8);
    release(*column);
    release(*columns);
    release(*padded);
}

// A pipelined transfer: pieces of 4 KiB, for each of which the place is searched again.
void pack_in_pieces(benchmark::State &state) {
    Datatype *type;
    if (new_vector(static_cast<Count>(data_size) / 32, 4, 8, type_of(MPI_DOUBLE), type))
        return;
    std::vector<char> from(2 * data_size), to(4096);
    for (auto _ : state) {
        for (size_t offset = 0; offset < data_size; offset += to.size())
            pack_bytes(from.data(), 1, *type, offset, to.size(), to.data());
        benchmark::ClobberMemory();
    }
    report(state);
    release(*type);
}

void copy_eight_bytes(benchmark::State &state) {
    double from = 1, to = 0;
    Datatype &type = type_of(MPI_DOUBLE);
    for (auto _ : state) {
        copy_typed(&from, 1, type, &to, 1, type);
        benchmark::ClobberMemory();
    }
}

BENCHMARK(memcpy_dense);
BENCHMARK(loop_strided_doubles);
BENCHMARK(pack_vector)->Arg(1)->Arg(2)->Arg(3)->Arg(4)->Arg(5)->Arg(16)->Arg(128);
BENCHMARK(pack_structs);
BENCHMARK(copy_structs);
BENCHMARK(pack_plane);
BENCHMARK(pack_irregular);
BENCHMARK(transpose_typed);
BENCHMARK(pack_in_pieces);
BENCHMARK(copy_eight_bytes);

} // namespace
