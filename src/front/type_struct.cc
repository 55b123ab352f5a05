#include "front/type_struct.h"

#include "datatype/datatype.h"
#include "entry/calls.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace thrum::front {
namespace {

// MPI_LB and MPI_UB, which end in these marks: the objects of openmpi.ini without a constant.
const MPI_Datatype lower_mark = reinterpret_cast<MPI_Datatype>(uintptr_t{4094}),
                   upper_mark = reinterpret_cast<MPI_Datatype>(uintptr_t{4095});

} // namespace

Error type_struct(Count count, const int *blocklengths, const MPI_Aint *displacements,
                  const MPI_Datatype *types, MPI_Datatype *newtype) MAY_SUSPEND {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> members;
    std::optional<MPI_Aint> lower, upper;
    for (Count i = 0; i < count; ++i) {
        if (types[i] == lower_mark) {
            lower = std::min(lower.value_or(displacements[i]), displacements[i]);
        } else if (types[i] == upper_mark) {
            upper = std::max(upper.value_or(displacements[i]), displacements[i]);
        } else {
            lengths.push_back(blocklengths[i]);
            places.push_back(displacements[i]);
            members.push_back(types[i]);
        }
    }
    MPI_Datatype whole;
    if (Error error = mpi::type_create_struct(static_cast<Count>(members.size()), lengths.data(),
                                              places.data(), members.data(), &whole))
        return error;
    if (!lower && !upper) {
        *newtype = whole;
        return success;
    }
    MPI_Aint bound = 0, extent = 0;
    Error error = mpi::type_get_extent(*find_datatype(whole), &bound, &extent);
    if (!error) {
        const MPI_Aint first = lower.value_or(bound), end = upper.value_or(bound + extent);
        error = mpi::type_create_resized(*find_datatype(whole), first, end - first, newtype);
    }
    (void)mpi::type_free(&whole);
    return error;
}

} // namespace thrum::front
