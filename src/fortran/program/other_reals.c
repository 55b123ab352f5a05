/* Stops the linker where an object was compiled with other sizes of REAL and DOUBLE PRECISION than
 * those that this archive is for: MPI_REAL and so on have one size in a program. */
#include "fortran/program/compiled_for.h"
#include "fortran/program/reals.h"

#define LINK_IT_SO(options) "with " options ": link it so, too"
#define WITHOUT(option) "without " option ", with which it is linked"

#if defined THRUM_REAL8_DOUBLE16
COMPILED_FOR(thrum_fortran_reals_4_8_, 1, WITHOUT("-fdefault-real-8"));
COMPILED_FOR(thrum_fortran_reals_8_8_, 1, LINK_IT_SO("-fdefault-double-8"));
#elif defined THRUM_REAL8_DOUBLE8
COMPILED_FOR(thrum_fortran_reals_4_8_, 1, WITHOUT("-fdefault-real-8"));
COMPILED_FOR(thrum_fortran_reals_8_16_, 1, WITHOUT("-fdefault-double-8"));
#else
COMPILED_FOR(thrum_fortran_reals_8_16_, 1, LINK_IT_SO("-fdefault-real-8"));
COMPILED_FOR(thrum_fortran_reals_8_8_, 1, LINK_IT_SO("-fdefault-real-8 -fdefault-double-8"));
#endif
