/* The predefined callbacks in Fortran: definitions, included once by a program (libmpifort.a) and
 * by the Fortran library of each front. */
#ifndef THRUM_FORTRAN_CALLBACKS_H
#define THRUM_FORTRAN_CALLBACKS_H

#include "fortran/program/integer.h"

/* Callbacks as the standard declares them: an INTEGER for each handle, and attribute values of
 * address size (of INTEGER size in the deprecated forms). LOGICAL .TRUE. is 1. */
#define CALLBACKS(kind, Value)                                                                     \
    void mpi_##kind##null_copy_fn_(FortranInteger *object, FortranInteger *keyval,                 \
                                   Value *extra_state, Value *in, Value *out,                      \
                                   FortranInteger *flag, FortranInteger *ierror) {                 \
        *flag = 0;                                                                                 \
        *ierror = 0;                                                                               \
    }                                                                                              \
    void mpi_##kind##dup_fn_(FortranInteger *object, FortranInteger *keyval, Value *extra_state,   \
                             Value *in, Value *out, FortranInteger *flag,                          \
                             FortranInteger *ierror) {                                             \
        *out = *in;                                                                                \
        *flag = 1;                                                                                 \
        *ierror = 0;                                                                               \
    }                                                                                              \
    void mpi_##kind##null_delete_fn_(FortranInteger *object, FortranInteger *keyval, Value *value, \
                                     Value *extra_state, FortranInteger *ierror) {                 \
        *ierror = 0;                                                                               \
    }

CALLBACKS(, FortranInteger)
CALLBACKS(comm_, intptr_t)
CALLBACKS(type_, intptr_t)
CALLBACKS(win_, intptr_t)

void mpi_conversion_fn_null_(void *userbuf, FortranInteger *datatype, FortranInteger *count,
                             void *filebuf, int64_t *position, intptr_t *extra_state,
                             FortranInteger *ierror) {
    *ierror = 0; /* stands for "no conversion" and is not called */
}

#endif
