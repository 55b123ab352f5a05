// Every MPI_X and PMPI_X of the standard, generated from mpi.api.
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/large_count.h"

using namespace thrum;

#pragma GCC visibility push(default)
extern "C" {
#include "entry/entry_points.inc"
}
#pragma GCC visibility pop
