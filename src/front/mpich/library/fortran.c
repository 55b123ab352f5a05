/* What libmpifort.so.12 has beside functions: the COMMON blocks of MPICH's mpif.h, which are never
 * written, and the predefined callbacks. A program that has the blocks itself uses its own. */
#include "front/fortran_names.h"

int32_t mpipriv1_[7]; /* MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE */
int32_t mpipriv2_[6]; /* MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE */
char mpiprivc_[2];    /* MPI_ARGVS_NULL, MPI_ARGV_NULL */
int32_t mpifcmb5_[1], mpifcmb9_[1];

/* MPI_Sizeof (chapter 16), of module mpi: one function for each type, and one for its arrays. */
#define SIZEOF(type, bytes)                                                                        \
    void __mpi_sizeofs_MOD_mpi_sizeof_##type(void *x, int32_t *size, int32_t *ierror) {            \
        *size = bytes;                                                                             \
        *ierror = 0;                                                                               \
    }
#define SIZEOF_BOTH(type, bytes) SIZEOF(type, bytes) SIZEOF(type##v, bytes)
SIZEOF_BOTH(ch, 1)
SIZEOF_BOTH(l, 4)
SIZEOF_BOTH(i, 4)
SIZEOF_BOTH(i1, 1)
SIZEOF_BOTH(i2, 2)
SIZEOF_BOTH(i8, 8)
SIZEOF_BOTH(r, 4)
SIZEOF_BOTH(d, 8)
SIZEOF_BOTH(cx, 8)
