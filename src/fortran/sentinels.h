// The Fortran constants that are addresses (MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE ...):
// recognised among the arguments of the calling rank's program and converted to C's constants. All
// other arguments are returned as they are.
#pragma once
#include "fortran/program/sentinels.h"
#include "mpi.h"

namespace thrum {

// A program or library with Fortran calls, in one rank. Usually all of a program share their COMMON
// blocks; a library with hidden symbols has its own. Never freed.
struct FortranProgram {
    thrum_fortran_sentinels sentinels;
    FortranProgram *next;
};

namespace fortran {

// Returns the programs of the calling rank.
const FortranProgram *programs();

// Convert an argument of each kind. to_status() is also for arrays of statuses.
void *to_buffer(void *buffer);
MPI_Status *to_status(MPI_Status *status);
int *to_weights(MPI_Fint *weights);
int *to_errcodes(MPI_Fint *array_of_errcodes);
// Returns whether the argument is MPI_ARGV_NULL or MPI_ARGVS_NULL.
bool is_null_argv(const char *argv);

// Convert a predefined callback to C's constant. `kind` is 0 for MPI_Keyval_create, otherwise 1 +
// Keyval::Kind: the constants have separate addresses.
using Callback = void (*)();
Callback to_copy_function(Callback copy, int kind);
Callback to_delete_function(Callback delete_function, int kind);
// Returns whether the argument is MPI_CONVERSION_FN_NULL.
bool is_conversion_null(Callback conversion);

} // namespace fortran
} // namespace thrum
