// MPI_Init of Fortran programs.
#pragma once
#include "entry/entry.h"

namespace thrum::fortran {

// Start MPI as C's functions do. The first program also declares its compiler to libmpi.
Error init() MAY_SUSPEND;
Error init_thread(int required, int *provided) MAY_SUSPEND;

// Declares to libmpi what the standard ABI leaves to the Fortran compiler (section 20.5):
// gfortran's values. Does nothing if another rank has declared them.
Error declare_compiler() MAY_SUSPEND;

} // namespace thrum::fortran
