/* The constants with an address, and the predefined callbacks, of a Fortran program. Part of
 * libmpifort.a, hence of the program's image: each rank has its own.
 *
 * The COMMON blocks are never written: only their addresses mean something. They are tentative
 * definitions here as in the program's own objects, so that the linker makes one of all. */
#include "fortran/program/sentinels.h"

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

/* Callbacks as the standard declares them: an INTEGER for each handle, and attribute values of
 * address size (of INTEGER size in the deprecated forms). LOGICAL .TRUE. is 1. */
#define CALLBACKS(kind, Value)                                                                     \
    void mpi_##kind##null_copy_fn_(int32_t *object, int32_t *keyval, Value *extra_state,           \
                                   Value *in, Value *out, int32_t *flag, int32_t *ierror) {        \
        *flag = 0;                                                                                 \
        *ierror = 0;                                                                               \
    }                                                                                              \
    void mpi_##kind##dup_fn_(int32_t *object, int32_t *keyval, Value *extra_state, Value *in,      \
                             Value *out, int32_t *flag, int32_t *ierror) {                         \
        *out = *in;                                                                                \
        *flag = 1;                                                                                 \
        *ierror = 0;                                                                               \
    }                                                                                              \
    void mpi_##kind##null_delete_fn_(int32_t *object, int32_t *keyval, Value *value,               \
                                     Value *extra_state, int32_t *ierror) {                        \
        *ierror = 0;                                                                               \
    }

CALLBACKS(, int32_t)
CALLBACKS(comm_, intptr_t)
CALLBACKS(type_, intptr_t)
CALLBACKS(win_, intptr_t)

void mpi_conversion_fn_null_(void *userbuf, int32_t *datatype, int32_t *count, void *filebuf,
                             int64_t *position, intptr_t *extra_state, int32_t *ierror) {
    *ierror = 0; /* stands for "no conversion" and is not called */
}

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
