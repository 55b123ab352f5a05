/* The objects that were compiled with an mpif.h or a module that is not that of this library, or
 * with the other size of INTEGER. */
#include "fortran/program/compiled_for.h"

#define ANOTHER_MPI(name) "with the mpif.h or module of " name ": compile it with this mpifort"

COMPILED_FOR(mpi_fortran_bottom_, 4, ANOTHER_MPI("Open MPI"));
COMPILED_FOR(mpipriv1_, 28, ANOTHER_MPI("MPICH or Intel MPI"));
COMPILED_FOR(mpif_bottom_, 4, ANOTHER_MPI("mpif"));
COMPILED_FOR(MPIR_F08_MPI_BOTTOM, 4, ANOTHER_MPI("MPICH"));
#ifdef THRUM_INTEGER8
COMPILED_FOR(thrum_fortran_bottom_, 4, "without -fdefault-integer-8, with which it is linked");
#else
COMPILED_FOR(thrum_fortran_i8_bottom_, 8,
             "with -fdefault-integer-8: link it with that option, too");
#endif
