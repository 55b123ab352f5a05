// Weak stand-ins for functions that no chapter defines yet; tools/status.py lists which are in use.
#include "mpi/calls.h"
#include "mpi/entry.h"

// The parameters are named for the prototypes only.
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace thrum::mpi {
#include "mpi/unimplemented.inc"
} // namespace thrum::mpi
