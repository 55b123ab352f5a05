// The Fortran compiler of a rank's programs, which a higher layer knows.
#pragma once
#include "base/error.h"

namespace thrum::mpi {

// Declares the compiler of the calling rank's Fortran programs (fortran/start.cc). A rank that
// starts MPI calls it, whatever the language of its main program. Set when the library is loaded;
// nullptr in unit tests without that layer.
inline Error (*declare_fortran_compiler)() = nullptr;

} // namespace thrum::mpi
