// The Fortran constants that are addresses (MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE ...):
// recognised among the arguments of the calling rank's program and converted to C's constants.
#pragma once
#include "fortran/program/sentinels.h"
#include "mpi.h"

namespace thrum {

// A program or library with Fortran calls, in one rank. Usually all of a program share their COMMON
// blocks; a library with hidden symbols has its own.
struct FortranProgram {
    thrum_fortran_sentinels sentinels;
    FortranProgram *next;
};

namespace fortran {

const FortranProgram *programs(); // of the calling rank

void *to_buffer(void *buffer);
MPI_Status *to_status(MPI_Status *status); // also for arrays of statuses
int *to_weights(MPI_Fint *weights);
int *to_errcodes(MPI_Fint *array_of_errcodes);
bool is_null_argv(const char *argv);

// Converts a predefined callback to C's constant. `kind`: 0 for MPI_Keyval_create, otherwise 1 +
// Keyval::Kind.
using Callback = void (*)();
Callback to_copy_function(Callback copy, int kind);
Callback to_delete_function(Callback delete_function, int kind);
bool is_conversion_null(Callback conversion);

} // namespace fortran
} // namespace thrum
