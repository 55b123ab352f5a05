// The Fortran constants that are addresses (MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE ...):
// recognised among the arguments of the calling rank's program and converted to C's constants. All
// other arguments are returned as they are.
#pragma once
#include "comm/process.h"
#include "fortran/program/sentinels.h"
#include "mpi.h"

namespace thrum {

// A program or library with Fortran calls, in one rank. Usually all of a program share their COMMON
// blocks; a library with hidden symbols has its own. What a front lacks is nullptr. Never freed.
struct FortranProgram {
    thrum_fortran_sentinels sentinels;
    FortranProgram *next;
};

// The programs of each rank; the first one leads to the others.
inline const Extension<Process, FortranProgram> programs_of_rank;

namespace fortran {

// Returns programs() for a rank whose first call this is.
[[gnu::cold]] const FortranProgram *programs_of_originals();

// Returns the programs of the calling rank that are built for the standard ABI.
inline const FortranProgram *programs() {
    const FortranProgram *found = programs_of_rank.of(current_process()).get();
    return found ? found : programs_of_originals();
}

// Convert an argument of each kind, of a call from one of these programs. Those of nearly every
// call are inline. Buffers that equal none of the constants are the program's.
inline void *to_buffer(void *buffer, const FortranProgram *of = programs()) {
    for (const FortranProgram *p = of; p; p = p->next) {
        if (buffer == p->sentinels.in_place)
            return MPI_IN_PLACE;
        if (buffer == p->sentinels.bottom)
            return MPI_BOTTOM;
        if (buffer == p->sentinels.buffer_automatic)
            return MPI_BUFFER_AUTOMATIC;
    }
    return buffer;
}

// Returns whether the argument is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE. `status` has the form
// that the programs' interface gives it.
inline bool is_ignored(const void *status, const FortranProgram *of = programs()) {
    for (const FortranProgram *p = of; p; p = p->next)
        if (status == p->sentinels.status_ignore || status == p->sentinels.statuses_ignore)
            return true;
    return false;
}

int *to_weights(MPI_Fint *weights, const FortranProgram *of = programs());
// Returns whether the argument is MPI_ERRCODES_IGNORE.
bool is_ignored_errcodes(const void *array_of_errcodes, const FortranProgram *of = programs());
// Returns whether the argument is MPI_ARGV_NULL or MPI_ARGVS_NULL.
bool is_null_argv(const char *argv, const FortranProgram *of = programs());

// Convert a predefined callback to C's constant. `kind` is 0 for MPI_Keyval_create, otherwise 1 +
// Keyval::Kind: the constants have separate addresses.
using Callback = void (*)();
Callback to_copy_function(Callback copy, int kind, const FortranProgram *of = programs());
Callback to_delete_function(Callback delete_function, int kind,
                            const FortranProgram *of = programs());
// Returns whether the argument is MPI_CONVERSION_FN_NULL.
bool is_conversion_null(Callback conversion, const FortranProgram *of = programs());

} // namespace fortran
} // namespace thrum
