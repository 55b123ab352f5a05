/* The sizes of the program's REAL and DOUBLE PRECISION. libmpifort.a has those of a compiler
 * without options; mpifort links libmpifort_r8.a or libmpifort_r8d8.a before it for others. */
#include "fortran/program/reals.h"

#include "fortran/program/sentinels.h"

__attribute__((visibility("hidden")))
const struct FortranReals thrum_reals = {THRUM_REAL_BYTES, THRUM_DOUBLE_BYTES};

/* The COMMON block of the objects that fit. The linker must not look for it in the next archive,
 * which refuses such objects (other_reals.c). */
_Alignas(32) char OWN_REALS[1] = {1};
