// MPI_Init of Fortran programs.
#pragma once
#include "entry/entry.h"

namespace thrum::fortran {

// Start MPI as C's functions do. The first program also declares its compiler to libmpi.
// `integer_bytes`, 4 or 8, is the size of its INTEGER and LOGICAL.
Error init(int integer_bytes) MAY_SUSPEND;
Error init_thread(int integer_bytes, int required, int *provided) MAY_SUSPEND;

// Declares to libmpi what the standard ABI leaves to the Fortran compiler (section 20.5):
// gfortran's values. If another rank has declared them, its INTEGER must have the same size.
Error declare_compiler(int integer_bytes) MAY_SUSPEND;

} // namespace thrum::fortran
