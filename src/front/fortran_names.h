/* What the Fortran libraries of all fronts define alike: the predefined callbacks and
 * MPI_F_sync_reg, in all spellings. Included once by each. */
#ifndef THRUM_FRONT_FORTRAN_NAMES_H
#define THRUM_FRONT_FORTRAN_NAMES_H

#include "fortran/program/callbacks.h"

/* Names as other compilers and options spell them, and that of the profiling interface. */
#define SPELLINGS(name, upper)                                                                     \
    extern __typeof(mpi_##name##_) mpi_##name __attribute__((alias("mpi_" #name "_")));            \
    extern __typeof(mpi_##name##_) pmpi_##name##_ __attribute__((alias("mpi_" #name "_")));        \
    extern __typeof(mpi_##name##_) mpi_##name##__ __attribute__((alias("mpi_" #name "_")));        \
    extern __typeof(mpi_##name##_) MPI_##upper __attribute__((alias("mpi_" #name "_")));
#define EACH(kind, upper)                                                                          \
    SPELLINGS(kind##null_copy_fn, upper##NULL_COPY_FN)                                             \
    SPELLINGS(kind##dup_fn, upper##DUP_FN)                                                         \
    SPELLINGS(kind##null_delete_fn, upper##NULL_DELETE_FN)
EACH(, )
EACH(comm_, COMM_)
EACH(type_, TYPE_)
EACH(win_, WIN_)
SPELLINGS(conversion_fn_null, CONVERSION_FN_NULL)

/* MPI_F_sync_reg (section 19.1.17): that it is called is all it does. */
void mpi_f_sync_reg_(void *buf) {
    (void)buf;
}

SPELLINGS(f_sync_reg, F_SYNC_REG)

#endif
