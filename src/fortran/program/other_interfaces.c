/* Stops the linker where an object was compiled with an mpif.h or a module that is not that of this
 * library: its calls would reach functions that expect other constants, statuses or INTEGERs.
 *
 * Such an object has COMMON blocks with the names below. The linker takes this file for a COMMON
 * block that it defines, prints the warning with the object's name, and then does not find what
 * `stop` refers to. */
#include <stdint.h>

extern char compile_the_object_that_the_warning_names_again;
static char *const stop __attribute__((used)) = &compile_the_object_that_the_warning_names_again;

/* `size` is that of the block, of which the linker would tell another. */
#define COMPILED_FOR(block, size, text)                                                            \
    _Alignas(32) char block[size] = {1};                                                           \
    static const char warning_of_##block[]                                                         \
        __attribute__((used, section(".gnu.warning." #block))) = "this object was compiled " text

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
