// Addresses and bounds as INTEGER, for the Fortran forms of the functions that MPI 3.0 removed.
//
// An address has more bits than an INTEGER. MPI_ADDRESS returns the low 32: programs subtract the
// results, and the differences of variables that are less than 2 GiB apart are right. Where they
// could be wrong the program is warned.
#pragma once
#include "base/error.h"
#include "datatype/datatype.h"
#include "entry/calls.h"
#include "mpi.h"
#include "removed/datatypes.h"

#include <cstdint>

namespace thrum::removed {

Error integer_address(const void *location, MPI_Fint *address);
Error integer_extent(Datatype &datatype, MPI_Fint *extent);
Error integer_lb(Datatype &datatype, MPI_Fint *displacement);
Error integer_ub(Datatype &datatype, MPI_Fint *displacement);

// The functions for INTEGERs of a type. One of 8 bytes holds every address.
template <class Integer>
struct Integers {
    static constexpr auto address = integer_address;
    static constexpr auto extent = integer_extent, lb = integer_lb, ub = integer_ub;
};

template <>
struct Integers<int64_t> {
    static constexpr auto address = mpi::get_address;
    static constexpr auto extent = type_extent, lb = type_lb, ub = type_ub;
};

} // namespace thrum::removed
