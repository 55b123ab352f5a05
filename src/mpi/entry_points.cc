// Every MPI_X and PMPI_X of the standard, generated from mpi.api.
#include "mpi/calls.h"
#include "mpi/entry.h"
#include "mpi/large_count.h"

using namespace thrum;

#pragma GCC visibility push(default)
extern "C" {
#include "mpi/entry_points.inc"
}
#pragma GCC visibility pop
