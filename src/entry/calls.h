// The implementation of every MPI function, as an ordinary C++ function that takes references:
// MPI_Send is mpi::send. Generated from mpi.api; the definitions are in the chapters' .cc files
// here.
#pragma once
#include "entry/object.h"
#include "fiber/task.h"

namespace thrum::mpi {
#include "entry/generated_calls.h"
} // namespace thrum::mpi
