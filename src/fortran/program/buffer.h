/* The descriptor by which mpi_f08 passes a choice buffer, and a CHARACTER argument beside one: what
 * ISO_Fortran_binding.h calls CFI_cdesc_t (Fortran 2018 section 18.5.3), as far as all compilers
 * agree. Read by C and C++. */
#ifndef THRUM_FORTRAN_BUFFER_H
#define THRUM_FORTRAN_BUFFER_H

#include <stddef.h>

/* A dimension of an array: its elements are `stride` bytes apart. The last extent of an
 * assumed-size array is -1. */
struct FortranDimension {
    ptrdiff_t lower_bound, extent, stride;
};

struct FortranBuffer {
    void *base;
    size_t element_bytes;
    int version;
    signed char rank; /* number of dimensions; 0: a scalar */
    char compilers_own[3];
    struct FortranDimension dimensions[];
};

/* Returns whether it is a scalar, or an array of one dimension without gaps: what can be seen at a
 * glance. */
static inline int thrum_is_simple(const struct FortranBuffer *buffer) {
    return buffer->rank == 0 ||
           (buffer->rank == 1 && buffer->dimensions[0].stride == (ptrdiff_t)buffer->element_bytes);
}

#endif
