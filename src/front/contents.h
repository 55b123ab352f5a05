// What MPI_Type_get_contents returns, in the numbers of a front.
#pragma once
#include "datatype/datatype.h"
#include "entry/calls.h"

namespace thrum::front {

// Converts the integers that describe `datatype`. Section 5.1.13 says where in those of a combiner
// an order, a distribution and its argument are.
template <auto from_order, auto from_distribution, auto from_argument>
void convert_contents(MPI_Datatype handle, int *integers, int64_t max_integers) {
    assert_may_suspend(); // the program calls
    Datatype *datatype = find_datatype(handle);
    MPI_Count counts[3], large_counts = 0;
    int combiner = MPI_UNDEFINED;
    if (!datatype || !integers || max_integers < 1 ||
        mpi::type_get_envelope_c(*datatype, &counts[0], &counts[1], &large_counts, &counts[2],
                                 &combiner))
        return;
    const auto convert = [&](int64_t first, int64_t count, int64_t (*from)(int64_t)) {
        for (int64_t i = first; i < first + count && i < max_integers; ++i)
            integers[i] = static_cast<int>(from(integers[i]));
    };
    // Sizes are among the large counts if there are any.
    if (combiner == MPI_COMBINER_SUBARRAY) {
        const int64_t sizes = large_counts > 0 ? 0 : 3 * int64_t{integers[0]};
        convert(1 + sizes, 1, from_order);
    } else if (combiner == MPI_COMBINER_DARRAY && max_integers > 2) {
        const int64_t dimensions = integers[2], begin = 3 + (large_counts > 0 ? 0 : dimensions);
        convert(begin, dimensions, from_distribution);
        convert(begin + dimensions, dimensions, from_argument);
        convert(begin + 3 * dimensions, 1, from_order);
    }
}

} // namespace thrum::front
