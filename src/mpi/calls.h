// The implementation of every MPI function, as an ordinary C++ function that takes references:
// MPI_Send is mpi::send. Generated from mpi.api; the definitions are in the chapters' .cc files
// here.
#pragma once
#include "fiber/task.h"
#include "mpi/object.h"

namespace thrum::mpi {
#include "mpi/generated_calls.h"
} // namespace thrum::mpi
