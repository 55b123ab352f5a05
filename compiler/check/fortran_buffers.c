/* What a call of mpi_f08 compiled by `mpifort --check` tells the library about a choice buffer: as
 * types_gcc.cc does for C, but at run time. The descriptor has the type that the program passes.
 * Its form is that of gfortran, the only compiler of `mpifort --check`. */
#include "fortran/program/buffer.h"
#include "fortran/program/sentinels.h"
#include "fortran/program/tool.h"

#include <stdint.h>
#include <stdio.h>

/* The library's, if it is Thrum (src/check/buffer_types.cc reads the description). */
__attribute__((weak)) void thrum_check_buffer(const void *buffer, size_t size_bytes, long count,
                                              void *datatype, void *comm, int root,
                                              const char *description, const void *place);
void *PMPI_Type_fromint(int datatype);
extern const struct thrum_fortran_sentinels thrum_sentinels __attribute__((visibility("hidden")));

enum { version_of_gfortran = 1 };

/* Returns the intrinsic type of the elements: what gfortran's ISO_Fortran_binding.h calls
 * CFI_type_Integer (1) and so on. 0: another. */
static int type_of(const struct FortranBuffer *buffer) {
    const unsigned char low = (unsigned char)buffer->compilers_own[1];
    return buffer->version == version_of_gfortran && low <= 4 ? low : 0;
}

/* Returns the size of the buffer from its address on. What follows a scalar is not known: it may be
 * an element of an array. */
static size_t size_of(const struct FortranBuffer *buffer) {
    if (buffer->rank == 0)
        return SIZE_MAX;
    size_t size_bytes = buffer->element_bytes;
    for (int i = 0; i < buffer->rank; ++i) {
        const struct FortranDimension *dimension = &buffer->dimensions[i];
        if (dimension->extent < 0 || dimension->stride != (ptrdiff_t)size_bytes)
            return SIZE_MAX; /* of assumed size, or with gaps */
        size_bytes *= (size_t)dimension->extent;
    }
    return size_bytes;
}

static int is_constant(const void *address) {
    return address == thrum_sentinels.bottom || address == thrum_sentinels.in_place ||
           address == thrum_sentinels.buffer_automatic;
}

void thrum_check_fortran_buffer(const struct FortranBuffer *buffer, long count, int datatype,
                                const char *argument, const void *place) {
    static const char *const names[] = {"", "INTEGER", "LOGICAL", "REAL", "COMPLEX"};
    const int type = type_of(buffer);
    if (!thrum_check_buffer || !type || is_constant(buffer->base))
        return;
    const size_t bytes = buffer->element_bytes, kind = type == 4 ? bytes / 2 : bytes;
    char text[160], elements[32] = "";
    if (bytes > 1) /* INTEGER(KIND=1) may hold anything, as characters do */
        snprintf(elements, sizeof elements, " 0%c%zu", " ibfz"[type], bytes);
    snprintf(text, sizeof text, "%s|%s(KIND=%zu)|%zu%s", argument, names[type], kind, bytes,
             elements);
    thrum_check_buffer(buffer->base, size_of(buffer), count, PMPI_Type_fromint(datatype), NULL, -1,
                       text, place);
}
