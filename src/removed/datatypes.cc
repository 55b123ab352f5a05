#include "removed/datatypes.h"

#include "entry/calls.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace thrum::removed {
namespace {

// The bounds that a struct has among its members.
struct Bounds {
    std::optional<MPI_Aint> lower, upper;

    // Returns whether the member is a bound. Of several, the outermost counts.
    bool take(MPI_Datatype member, MPI_Aint displacement) {
        if (member == MPI_LB)
            lower = std::min(lower.value_or(displacement), displacement);
        else if (member == MPI_UB)
            upper = std::max(upper.value_or(displacement), displacement);
        else
            return false;
        return true;
    }
};

bool is_bound(MPI_Datatype member) {
    return member == MPI_LB || member == MPI_UB;
}

// Makes the struct, then a copy of it with the bounds. A bound becomes a member without elements,
// so that an error names the right place of the array.
Error struct_with_bounds(Count count, CountArray array_of_blocklengths,
                         CountArray array_of_displacements, const MPI_Datatype array_of_types[],
                         MPI_Datatype *newtype) MAY_SUSPEND {
    std::vector<MPI_Count> lengths, places;
    std::vector<MPI_Datatype> members;
    Bounds bounds;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
        const bool bound = bounds.take(array_of_types[i], array_of_displacements[i]);
        lengths.push_back(bound ? 0 : array_of_blocklengths[i]);
        places.push_back(array_of_displacements[i]);
        members.push_back(bound ? MPI_BYTE : array_of_types[i]);
    }
    MPI_Datatype whole;
    if (Error error =
            mpi::type_create_struct(count, lengths.data(), places.data(), members.data(), &whole))
        return error;
    const Datatype &made = *find_datatype(whole);
    const MPI_Aint lower = bounds.lower.value_or(made.lower_bound),
                   upper = bounds.upper.value_or(made.lower_bound + made.extent);
    Error error = mpi::type_create_resized(*find_datatype(whole), lower, upper - lower, newtype);
    (void)mpi::type_free(&whole);
    return error;
}

} // namespace

// Missing arrays are refused by MPI_Type_create_struct.
Error type_struct(Count count, CountArray array_of_blocklengths, CountArray array_of_displacements,
                  const MPI_Datatype array_of_types[], MPI_Datatype *newtype) {
    const bool complete = array_of_blocklengths && array_of_displacements && array_of_types;
    if (complete && std::any_of(array_of_types, array_of_types + count, is_bound))
        return struct_with_bounds(count, array_of_blocklengths, array_of_displacements,
                                  array_of_types, newtype);
    return mpi::type_create_struct(count, array_of_blocklengths, array_of_displacements,
                                   array_of_types, newtype);
}

Error type_extent(Datatype &datatype, MPI_Aint *extent) {
    *extent = datatype.extent;
    return success;
}

Error type_lb(Datatype &datatype, MPI_Aint *displacement) {
    *displacement = datatype.lower_bound;
    return success;
}

Error type_ub(Datatype &datatype, MPI_Aint *displacement) {
    *displacement = datatype.lower_bound + datatype.extent;
    return success;
}

} // namespace thrum::removed
