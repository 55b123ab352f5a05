/* The constants with an address, and the predefined callbacks, of a Fortran program. Part of
 * libmpifort.a, hence of the program's image: each rank has its own.
 *
 * The COMMON blocks are never written: only their addresses mean something. They are tentative
 * definitions here as in the program's own objects, so that the linker makes one of all. */
#include "fortran/program/sentinels.h"

#include "fortran/program/callbacks.h"

#include <stdint.h>

#define COMMON_BLOCK __attribute__((common))

COMMON_BLOCK int32_t mpi_fortran_bottom_;
COMMON_BLOCK int32_t mpi_fortran_in_place_;
COMMON_BLOCK int32_t mpi_fortran_buffer_automatic_;
COMMON_BLOCK int32_t mpi_fortran_status_ignore_[8];
COMMON_BLOCK int32_t mpi_fortran_statuses_ignore_[8];
COMMON_BLOCK int32_t mpi_fortran_errcodes_ignore_[1];
COMMON_BLOCK int32_t mpi_fortran_unweighted_[1];
COMMON_BLOCK int32_t mpi_fortran_weights_empty_[1];
COMMON_BLOCK char mpi_fortran_argv_null_[1];
COMMON_BLOCK char mpi_fortran_argvs_null_[1];

#define EACH_KIND(name)                                                                            \
    {(void (*)(void))mpi_##name##_, (void (*)(void))mpi_comm_##name##_,                            \
     (void (*)(void))mpi_type_##name##_, (void (*)(void))mpi_win_##name##_}

/* Referred to by the entry points of this archive, so that the linker takes this file with them. */
__attribute__((visibility("hidden"))) const struct thrum_fortran_sentinels thrum_sentinels = {
    .bottom = &mpi_fortran_bottom_,
    .in_place = &mpi_fortran_in_place_,
    .buffer_automatic = &mpi_fortran_buffer_automatic_,
    .status_ignore = mpi_fortran_status_ignore_,
    .statuses_ignore = mpi_fortran_statuses_ignore_,
    .errcodes_ignore = mpi_fortran_errcodes_ignore_,
    .unweighted = mpi_fortran_unweighted_,
    .weights_empty = mpi_fortran_weights_empty_,
    .argv_null = mpi_fortran_argv_null_,
    .argvs_null = mpi_fortran_argvs_null_,
    .null_copy = EACH_KIND(null_copy_fn),
    .dup = EACH_KIND(dup_fn),
    .null_delete = EACH_KIND(null_delete_fn),
    .conversion_null = (void (*)(void))mpi_conversion_fn_null_,
};

__attribute__((constructor)) static void tell_library(void) {
    thrum_fortran_register(&thrum_sentinels);
}
