// For tests: random nested datatypes, and a naive reference that expands a type map byte by byte.
#pragma once
#include "base/testing/seed.h"
#include "datatype/constructors.h"
#include "datatype/contents.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace thrum::testing {

class RandomDatatypes {
public:
    explicit RandomDatatypes(unsigned seed) : engine_(seed) {}

    Count number(Count low, Count high) {
        return std::uniform_int_distribution<Count>(low, high)(engine_);
    }

    // Makes a datatype of at most `depth` nested constructors; the caller releases it.
    Datatype *make(int depth) {
        if (depth == 0)
            return make_basic();
        Datatype *old = make(static_cast<int>(number(0, depth - 1)));
        Datatype *result = nullptr;
        Error error = construct(*old, depth, result);
        if (error || result->size_bytes > 20000 || result->true_extent > 200000) {
            if (!error)
                release(*result);
            return old; // too large to expand
        }
        release(*old);
        return result;
    }

private:
    Datatype *make_basic() {
        const MPI_Datatype basics[] = {MPI_BYTE,   MPI_CHAR,        MPI_SHORT,     MPI_INT,
                                       MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT,
                                       MPI_2INT,   MPI_LONG_INT,    MPI_C_COMPLEX, MPI_INTEGER16};
        return find_datatype(basics[number(0, 11)]);
    }

    std::vector<Count> numbers(Count n, Count low, Count high) {
        std::vector<Count> values(static_cast<size_t>(n));
        for (Count &value : values)
            value = number(low, high);
        return values;
    }

    // Returns displacements without overlap, in random order of blocks, with and without gaps.
    std::vector<Count> displacements(const std::vector<Count> &lengths, Count unit, Count element) {
        std::vector<Count> result(lengths.size());
        Count position = number(-3, 3) * unit;
        bool backwards = number(0, 3) == 0;
        bool dense = number(0, 2) == 0;
        for (size_t i = 0; i < lengths.size(); ++i) {
            size_t k = backwards ? lengths.size() - 1 - i : i;
            result[k] = position;
            position += lengths[k] * element + (dense ? 0 : number(0, 4) * unit);
        }
        return result;
    }

    Error construct(Datatype &old, int depth, Datatype *&result);
    Error construct_struct(Datatype &old, int depth, Datatype *&result);
    Error construct_array(Datatype &old, Datatype *&result);

    std::mt19937 engine_;
};

inline Error RandomDatatypes::construct_struct(Datatype &old, int depth, Datatype *&result) {
    Count n = number(0, 4);
    std::vector<Datatype *> types;
    std::vector<Count> lengths = numbers(n, 0, 3);
    std::vector<Count> places;
    Count position = number(-40, 40);
    for (Count i = 0; i < n; ++i) {
        Datatype *type = i % 2 ? &old : make(static_cast<int>(number(0, depth - 1)));
        if (type == &old)
            retain(old);
        types.push_back(type);
        position -= type->true_lower_bound < 0 ? type->true_lower_bound : 0;
        Count span = type->extent < 0 ? -type->extent : type->extent;
        if (type->extent < 0) // copies in descending order
            position += span * lengths[static_cast<size_t>(i)];
        places.push_back(position);
        if (type->extent > 0)
            position += span * lengths[static_cast<size_t>(i)];
        position += type->true_extent + std::abs(type->true_lower_bound) + number(0, 8);
    }
    Error error = new_struct(n, lengths.data(), places.data(), types.data(), result);
    for (Datatype *type : types)
        release(*type);
    return error;
}

inline Error RandomDatatypes::construct_array(Datatype &old, Datatype *&result) {
    int dimensions = static_cast<int>(number(1, 3));
    std::vector<Count> sizes = numbers(dimensions, 1, 5);
    int order = number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    if (number(0, 1)) {
        std::vector<Count> parts, starts;
        for (Count size : sizes) {
            parts.push_back(number(0, size));
            starts.push_back(number(0, size - parts.back()));
        }
        return new_subarray(dimensions, sizes.data(), parts.data(), starts.data(), order, old,
                            result);
    }
    std::vector<int> kinds, arguments, processes;
    int size = 1;
    for (int i = 0; i < dimensions; ++i) {
        const int all[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
        kinds.push_back(all[number(0, 2)]);
        processes.push_back(kinds.back() == MPI_DISTRIBUTE_NONE ? 1
                                                                : static_cast<int>(number(1, 3)));
        arguments.push_back(kinds.back() == MPI_DISTRIBUTE_CYCLIC && number(0, 1)
                                ? static_cast<int>(number(1, 3))
                                : MPI_DISTRIBUTE_DFLT_DARG);
        size *= processes.back();
    }
    Distribution distribution{sizes.data(), kinds.data(), arguments.data(), processes.data()};
    return new_distributed_array(size, static_cast<int>(number(0, size - 1)), dimensions,
                                 distribution, order, old, result);
}

inline Error RandomDatatypes::construct(Datatype &old, int depth, Datatype *&result) {
    Count n = number(0, 5);
    Count span = old.extent < 0 ? -old.extent : old.extent;
    if (span < old.true_extent)
        span = old.true_extent;
    std::vector<Count> lengths = numbers(n, 0, 3);
    switch (number(0, 10)) {
    case 0:
        return new_contiguous(n, old, result);
    case 1:
        return new_vector(n, number(0, 3), number(-6, 6), old, result);
    case 2:
        return new_hvector(n, number(0, 3), number(-6, 6) * span + number(0, 3), old, result);
    case 3:
        return new_indexed(n, lengths.data(), displacements(lengths, 1, 1).data(), old, result);
    case 4:
        return new_hindexed(n, lengths.data(), displacements(lengths, 4, span).data(), old, result);
    case 5:
        return new_indexed_block(n, 2, displacements(numbers(n, 2, 2), 1, 1).data(), old, result);
    case 6:
        return new_hindexed_block(n, 2, displacements(numbers(n, 2, 2), 8, span).data(), old,
                                  result);
    case 7:
        return new_resized(old, number(-16, 16), span + number(0, 16), result);
    case 8:
        return new_duplicate(old, result);
    case 9:
        return construct_array(old, result);
    default:
        return construct_struct(old, depth, result);
    }
}

// Appends the displacement of every byte of data of one element, in the order of the type map.
inline void expand(const Datatype &type, Count displacement, std::vector<Count> &bytes) {
    Count blocks = block_count(type);
    if (blocks == 0)
        for (Count i = 0; type.predefined && i < type.size_bytes; ++i)
            bytes.push_back(displacement + i);
    for (Count b = 0; b < blocks; ++b) {
        TypeBlock block = block_at(type, b);
        for (Count i = 0; i < block.copies; ++i)
            expand(*block.type, displacement + block.displacement + i * block.type->extent, bytes);
    }
}

inline std::vector<Count> expand(const Datatype &type, Count count) {
    std::vector<Count> bytes;
    for (Count i = 0; i < count; ++i)
        expand(type, i * type.extent, bytes);
    return bytes;
}

} // namespace thrum::testing
