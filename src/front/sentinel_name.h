// The names of Fortran's constants that are addresses.
#pragma once
#include "fortran/program/sentinels.h"

#include <cstddef>

namespace thrum::front {

// Where a constant with an address is: `place` is its member among the program's.
struct SentinelName {
    void *thrum_fortran_sentinels::*place;
    const char *symbol;
    size_t offset_bytes;
    bool f08 = false; // of module mpi_f08
};

} // namespace thrum::front
