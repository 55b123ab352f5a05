/* The constants with an address, and the predefined callbacks, of a Fortran program. Part of
 * libmpifort.a, hence of the program's image: each rank has its own.
 *
 * The COMMON blocks are never written: only their addresses mean something. They are tentative
 * definitions here as in the program's own objects, so that the linker makes one of all. */
#include "fortran/program/sentinels.h"

#include "fortran/program/callbacks.h"
#include "fortran/program/integer.h"

#define COMMON_BLOCK __attribute__((common))
/* The names, as f77.py gives them to mpif.h and the modules. */
#ifdef THRUM_INTEGER8
#define COMMON(name) thrum_fortran_i8_##name##_
#else
#define COMMON(name) thrum_fortran_##name##_
#endif

COMMON_BLOCK FortranInteger COMMON(bottom);
COMMON_BLOCK FortranInteger COMMON(in_place);
COMMON_BLOCK FortranInteger COMMON(buffer_automatic);
COMMON_BLOCK FortranInteger COMMON(status_ignore)[8];
COMMON_BLOCK FortranInteger COMMON(statuses_ignore)[8];
COMMON_BLOCK FortranInteger COMMON(errcodes_ignore)[1];
COMMON_BLOCK FortranInteger COMMON(unweighted)[1];
COMMON_BLOCK FortranInteger COMMON(weights_empty)[1];
COMMON_BLOCK char COMMON(argv_null)[1];
COMMON_BLOCK char COMMON(argvs_null)[1];

#define EACH_KIND(name)                                                                            \
    {(void (*)(void))mpi_##name##_, (void (*)(void))mpi_comm_##name##_,                            \
     (void (*)(void))mpi_type_##name##_, (void (*)(void))mpi_win_##name##_}

extern __attribute__((visibility("hidden"))) const struct FortranReals thrum_reals;

/* Referred to by the entry points of this archive, so that the linker takes this file with them. */
__attribute__((visibility("hidden"))) const struct thrum_fortran_sentinels thrum_sentinels = {
    .integer_bytes = sizeof(FortranInteger),
    .reals = &thrum_reals,
    .bottom = &COMMON(bottom),
    .in_place = &COMMON(in_place),
    .buffer_automatic = &COMMON(buffer_automatic),
    .status_ignore = COMMON(status_ignore),
    .statuses_ignore = COMMON(statuses_ignore),
    .errcodes_ignore = COMMON(errcodes_ignore),
    .unweighted = COMMON(unweighted),
    .weights_empty = COMMON(weights_empty),
    .argv_null = COMMON(argv_null),
    .argvs_null = COMMON(argvs_null),
    .null_copy = EACH_KIND(null_copy_fn),
    .dup = EACH_KIND(dup_fn),
    .null_delete = EACH_KIND(null_delete_fn),
    .conversion_null = (void (*)(void))mpi_conversion_fn_null_,
};

__attribute__((constructor)) static void tell_library(void) {
    thrum_fortran_register(&thrum_sentinels);
}
