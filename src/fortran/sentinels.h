// The constants of Fortran that are addresses (MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE ...),
// recognised among the arguments of the calling rank's program and turned into C's.
#pragma once
#include "fortran/program/sentinels.h"
#include "mpi.h"

namespace thrum {

// A program or library with Fortran calls, of one rank. All of a program usually share their COMMON
// blocks; a library whose symbols are hidden has blocks of its own.
struct FortranProgram {
    thrum_fortran_sentinels sentinels;
    FortranProgram *next;
};

namespace fortran {

const FortranProgram *programs(); // of the calling rank

void *to_buffer(void *buffer);
MPI_Status *to_status(MPI_Status *status); // also of an array of statuses
int *to_weights(MPI_Fint *weights);
int *to_errcodes(MPI_Fint *array_of_errcodes);
bool is_null_argv(const char *argv);

// A callback that is a predefined one becomes C's constant for it; `kind`: 0 of MPI_Keyval_create,
// 1 + Keyval::Kind.
using Callback = void (*)();
Callback to_copy_function(Callback copy, int kind);
Callback to_delete_function(Callback delete_function, int kind);
bool is_conversion_null(Callback conversion);

} // namespace fortran
} // namespace thrum
