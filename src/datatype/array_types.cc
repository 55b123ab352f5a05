// Subarrays and distributed arrays (MPI 5.0 sections 5.1.3 and 5.1.4), built from simpler
// constructors. A dimension is a contiguous, strided or cyclic choice of its elements, resized to
// the whole dimension, and becomes the element of the next one. So the layout is a few nested
// strides, however many elements are chosen.
//
// The result has its own contents, for MPI_Type_get_contents, and refers to the datatype that was
// built (Contents::equivalent) for its type map.
#include "datatype/constructors.h"
#include "datatype/draft.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace thrum {
namespace {

using Form = Contents::Form;

// Owns the datatype of the dimensions built so far; begins with the old datatype.
class Steps {
public:
    explicit Steps(Datatype &old) : type_(&old) { retain(old); }

    ~Steps() {
        if (type_)
            release(*type_);
    }

    Steps(const Steps &) = delete;
    Steps &operator=(const Steps &) = delete;

    Datatype &type() { return *type_; }

    // Takes over the reference to `next`.
    void replace(Datatype &next) {
        release(*type_);
        type_ = &next;
    }

    // Returns the datatype with its reference.
    Datatype *take() {
        Datatype *type = type_;
        type_ = nullptr;
        return type;
    }

private:
    Datatype *type_;
};

// Replaces the element by a dimension of `size` elements, of which `count` from element `start` on
// are chosen.
Error choose_part(Steps &steps, Count size, Count count, Count start) {
    Count extent = steps.type().extent;
    Count displacement;
    Count whole;
    if (__builtin_mul_overflow(start, extent, &displacement) ||
        __builtin_mul_overflow(size, extent, &whole))
        return fail(MPI_ERR_COUNT, "the extent of the new datatype does not fit in 63 bits");
    // The part has no data before `start` and after the last element; resizing gives it the
    // dimension's extent.
    Datatype *part;
    if (Error error = new_hindexed_block(1, count, &displacement, steps.type(), part))
        return error;
    steps.replace(*part);
    if (Error error = new_resized(*part, 0, whole, part))
        return error;
    steps.replace(*part);
    return success;
}

// Replaces the element by a dimension of `size` elements, of which every process_size-th block of
// `block` elements is chosen, the first at element rank * block. The end of the dimension may cut
// the last block (the function cyclic() of section 5.1.4). Sums are 128 bits wide: they may exceed
// 63 bits although each argument is valid.
Error choose_cyclic(Steps &steps, Count size, Count block, int process_size, int rank) {
    Count extent = steps.type().extent;
    __int128 first = static_cast<__int128>(rank) * block;
    __int128 period = static_cast<__int128>(process_size) * block;
    __int128 beyond = size - first;
    if (beyond <= 0 || block == 0)
        return choose_part(steps, size, 0, 0);
    auto blocks = static_cast<Count>((beyond + period - 1) / period);
    auto last_start = static_cast<Count>(first + (blocks - 1) * period);
    Count last = std::min(block, size - last_start);
    __int128 stride = period * extent;
    if (stride * blocks > INT64_MAX || stride * blocks < INT64_MIN)
        return fail(MPI_ERR_COUNT, "the extent of the new datatype does not fit in 63 bits");

    // All blocks but the last have full length, so they are one strided vector.
    Datatype *whole_blocks;
    if (Error error =
            new_hvector(blocks - 1, block, static_cast<Count>(stride), steps.type(), whole_blocks))
        return error;
    Count lengths[] = {1, last};
    Count displacements[] = {static_cast<Count>(first) * extent, last_start * extent};
    Datatype *types[] = {whole_blocks, &steps.type()};
    Datatype *all;
    Error error = new_struct(2, lengths, displacements, types, all);
    release(*whole_blocks);
    if (error)
        return error;
    steps.replace(*all);
    if (Error resize_error = new_resized(*all, 0, size * extent, all))
        return resize_error;
    steps.replace(*all);
    return success;
}

// Returns a datatype with the type map that was built, but with `contents`, its own constructor's.
Datatype *wrap(std::unique_ptr<Contents> contents, Datatype &old, Steps &steps) {
    contents->add(old);
    Datatype *result = new_like(steps.type(), contents.get());
    contents->equivalent = steps.take();
    contents.release();
    return result;
}

Error check_order(int order) {
    if (order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN)
        return success;
    return fail(MPI_ERR_ARG, "order is %d; it must be MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
}

Error check_dimensions(int dimensions) {
    return dimensions >= 1 ? success
                           : fail(MPI_ERR_ARG, "ndims is %d; it must be positive", dimensions);
}

// Checks one dimension of a subarray. Errors name the argument and its index.
Error check_subarray(int i, Count size, Count subsize, Count start) {
    auto wide = [](Count value) {
        return static_cast<long long>(value);
    };
    if (size < 1)
        return fail(MPI_ERR_ARG, "array_of_sizes[%d] is %lld; it must be positive", i, wide(size));
    if (subsize < 0 || subsize > size)
        return fail(MPI_ERR_ARG, "array_of_subsizes[%d] is %lld, but array_of_sizes[%d] is %lld", i,
                    wide(subsize), i, wide(size));
    if (start < 0 || start > size - subsize)
        return fail(MPI_ERR_ARG,
                    "array_of_starts[%d] is %lld; a part of %lld of %lld elements "
                    "must start at 0 to %lld",
                    i, wide(start), wide(subsize), wide(size), wide(size - subsize));
    return success;
}

// Checks one dimension of a distributed array. Blocks must cover the dimension: otherwise some
// elements would belong to no process.
Error check_distribution(int i, const Distribution &d) {
    if (d.sizes[i] < 1)
        return fail(MPI_ERR_ARG, "array_of_gsizes[%d] is %lld; it must be positive", i,
                    static_cast<long long>(d.sizes[i]));
    if (d.process_sizes[i] < 1)
        return fail(MPI_ERR_ARG, "array_of_psizes[%d] is %d; it must be positive", i,
                    d.process_sizes[i]);
    int kind = d.kinds[i];
    if (kind != MPI_DISTRIBUTE_BLOCK && kind != MPI_DISTRIBUTE_CYCLIC &&
        kind != MPI_DISTRIBUTE_NONE)
        return fail(MPI_ERR_ARG,
                    "array_of_distribs[%d] is %d, which is not one of MPI_DISTRIBUTE_*", i, kind);
    if (kind == MPI_DISTRIBUTE_NONE && d.process_sizes[i] != 1)
        return fail(MPI_ERR_ARG,
                    "array_of_psizes[%d] is %d; it must be 1 where "
                    "array_of_distribs is MPI_DISTRIBUTE_NONE",
                    i, d.process_sizes[i]);
    int argument = d.arguments[i];
    if (kind == MPI_DISTRIBUTE_NONE || argument == MPI_DISTRIBUTE_DFLT_DARG)
        return success;
    if (argument < 1)
        return fail(MPI_ERR_ARG, "array_of_dargs[%d] is %d; it must be positive", i, argument);
    if (kind == MPI_DISTRIBUTE_BLOCK &&
        static_cast<Count>(argument) * d.process_sizes[i] < d.sizes[i])
        return fail(MPI_ERR_ARG,
                    "array_of_dargs[%d] is %d: %d blocks of it do not cover %lld "
                    "elements",
                    i, argument, d.process_sizes[i], static_cast<long long>(d.sizes[i]));
    return success;
}

// Returns the elements in a block of dimension `i`; all of them if it is not distributed.
Count block_size(const Distribution &d, int i) {
    if (d.kinds[i] == MPI_DISTRIBUTE_NONE)
        return d.sizes[i];
    if (d.arguments[i] != MPI_DISTRIBUTE_DFLT_DARG)
        return d.arguments[i];
    if (d.kinds[i] == MPI_DISTRIBUTE_CYCLIC)
        return 1;
    return (d.sizes[i] + d.process_sizes[i] - 1) / d.process_sizes[i];
}

// Checks all dimensions, and that their process counts have the product `size`. Stops multiplying
// when the product exceeds it, so that it cannot overflow.
Error check_process_grid(int size, int rank, int dimensions, const Distribution &d) {
    __int128 processes = 1;
    for (int i = 0; i < dimensions; ++i) {
        if (Error error = check_distribution(i, d))
            return error;
        if (processes <= size)
            processes *= d.process_sizes[i];
    }
    if (processes != size)
        return fail(MPI_ERR_ARG, "size is %d, which is not the product of array_of_psizes", size);
    if (rank < 0 || rank >= size)
        return fail(MPI_ERR_RANK, "rank is %d; it must be 0 to %d", rank, size - 1);
    return success;
}

} // namespace

// Begins with the dimension whose elements are adjacent in memory: the first in Fortran's order,
// the last in C's.
Error new_subarray(int dimensions, const Count *sizes, const Count *subsizes, const Count *starts,
                   int order, Datatype &old, Datatype *&result) {
    if (Error error = check_dimensions(dimensions))
        return error;
    if (Error error = check_order(order))
        return error;
    for (int i = 0; i < dimensions; ++i)
        if (Error error = check_subarray(i, sizes[i], subsizes[i], starts[i]))
            return error;
    Steps steps(old);
    for (int step = 0; step < dimensions; ++step) {
        int i = order == MPI_ORDER_FORTRAN ? step : dimensions - 1 - step;
        if (Error error = choose_part(steps, sizes[i], subsizes[i], starts[i]))
            return error;
    }
    auto contents = std::make_unique<Contents>();
    contents->combiner = MPI_COMBINER_SUBARRAY;
    contents->add(Form::Integer, dimensions);
    contents->add(Form::Count, sizes, dimensions);
    contents->add(Form::Count, subsizes, dimensions);
    contents->add(Form::Count, starts, dimensions);
    contents->add(Form::Integer, order);
    result = wrap(std::move(contents), old, steps);
    return success;
}

// Every dimension is chosen as if it were cyclic; block distributions are cyclic with one block per
// process.
Error new_distributed_array(int size, int rank, int dimensions, const Distribution &d, int order,
                            Datatype &old, Datatype *&result) {
    if (Error error = check_dimensions(dimensions))
        return error;
    if (Error error = check_order(order))
        return error;
    if (Error error = check_process_grid(size, rank, dimensions, d))
        return error;
    // The process grid is row-major whatever the array's order (section 5.1.4).
    std::vector<int> coordinates(static_cast<size_t>(dimensions));
    for (int i = dimensions - 1, rest = rank; i >= 0; --i) {
        coordinates[static_cast<size_t>(i)] = rest % d.process_sizes[i];
        rest /= d.process_sizes[i];
    }
    Steps steps(old);
    for (int step = 0; step < dimensions; ++step) {
        int i = order == MPI_ORDER_FORTRAN ? step : dimensions - 1 - step;
        if (Error error = choose_cyclic(steps, d.sizes[i], block_size(d, i), d.process_sizes[i],
                                        coordinates[static_cast<size_t>(i)]))
            return error;
    }
    auto contents = std::make_unique<Contents>();
    contents->combiner = MPI_COMBINER_DARRAY;
    contents->add(Form::Integer, size);
    contents->add(Form::Integer, rank);
    contents->add(Form::Integer, dimensions);
    contents->add(Form::Count, d.sizes, dimensions);
    for (const int *values : {d.kinds, d.arguments, d.process_sizes})
        for (int i = 0; i < dimensions; ++i)
            contents->add(Form::Integer, values[i]);
    contents->add(Form::Integer, order);
    result = wrap(std::move(contents), old, steps);
    return success;
}

} // namespace thrum
