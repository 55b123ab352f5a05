/* What libmpi_mpifh.so.40 has beside functions: the COMMON blocks of Open MPI's mpif.h, which are
 * never written, and the predefined callbacks. A program that has the blocks itself uses its own.
 */
#include "front/fortran_names.h"

int32_t mpi_fortran_bottom_, mpi_fortran_in_place_;
int32_t mpi_fortran_status_ignore_[6], mpi_fortran_statuses_ignore_[6];
int32_t mpi_fortran_errcodes_ignore_[1], mpi_fortran_unweighted_[1], mpi_fortran_weights_empty_[1];
char mpi_fortran_argv_null_[1], mpi_fortran_argvs_null_[1];

void ompi_f_sync_reg_f(void *buf) __attribute__((alias("mpi_f_sync_reg_")));

/* MPI_Sizeof (chapter 16), of module mpi: one function for each type and rank. */
#define SIZEOF_OF(name, bytes)                                                                     \
    void mpi_sizeof_##name##_(void *x, int32_t *size, int32_t *ierror) {                           \
        *size = bytes;                                                                             \
        if (ierror)                                                                                \
            *ierror = 0;                                                                           \
    }                                                                                              \
    extern __typeof(mpi_sizeof_##name##_) pmpi_sizeof_##name##_                                    \
        __attribute__((alias("mpi_sizeof_" #name "_")));
#define SIZEOF(type, bytes)                                                                        \
    SIZEOF_OF(type##_scalar, bytes)                                                                \
    SIZEOF_OF(type##_r1, bytes)                                                                    \
    SIZEOF_OF(type##_r2, bytes)                                                                    \
    SIZEOF_OF(type##_r3, bytes)                                                                    \
    SIZEOF_OF(type##_r4, bytes)                                                                    \
    SIZEOF_OF(type##_r5, bytes)                                                                    \
    SIZEOF_OF(type##_r6, bytes)                                                                    \
    SIZEOF_OF(type##_r7, bytes)                                                                    \
    SIZEOF_OF(type##_r8, bytes)                                                                    \
    SIZEOF_OF(type##_r9, bytes)                                                                    \
    SIZEOF_OF(type##_r10, bytes)                                                                   \
    SIZEOF_OF(type##_r11, bytes)                                                                   \
    SIZEOF_OF(type##_r12, bytes)                                                                   \
    SIZEOF_OF(type##_r13, bytes)                                                                   \
    SIZEOF_OF(type##_r14, bytes)                                                                   \
    SIZEOF_OF(type##_r15, bytes)
SIZEOF(character, 1)
SIZEOF(logical, 4)
SIZEOF(int8, 1)
SIZEOF(int16, 2)
SIZEOF(int32, 4)
SIZEOF(int64, 8)
SIZEOF(real32, 4)
SIZEOF(real64, 8)
SIZEOF(real128, 16)
SIZEOF(complex32, 8)
SIZEOF(complex64, 16)
SIZEOF(complex128, 32)
