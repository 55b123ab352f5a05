/* What libmpifort.so.12 has beside functions: the COMMON blocks of MPICH's mpif.h, which are never
 * written, and the predefined callbacks. A program that has the blocks itself uses its own. */
#include "fortran/program/callbacks.h"

int32_t mpipriv1_[7]; /* MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE */
int32_t mpipriv2_[6]; /* MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE */
char mpiprivc_[2];    /* MPI_ARGVS_NULL, MPI_ARGV_NULL */
int32_t mpifcmb5_[1], mpifcmb9_[1];

/* Names as other compilers and options spell them, and that of the profiling interface. */
#define SPELLINGS(name, upper)                                                                     \
    extern __typeof(mpi_##name##_) mpi_##name __attribute__((alias("mpi_" #name "_")));            \
    extern __typeof(mpi_##name##_) pmpi_##name##_ __attribute__((alias("mpi_" #name "_")));        \
    extern __typeof(mpi_##name##_) mpi_##name##__ __attribute__((alias("mpi_" #name "_")));        \
    extern __typeof(mpi_##name##_) MPI_##upper __attribute__((alias("mpi_" #name "_")));
#define EACH(kind, upper)                                                                          \
    SPELLINGS(kind##null_copy_fn, upper##NULL_COPY_FN)                                             \
    SPELLINGS(kind##dup_fn, upper##DUP_FN)                                                         \
    SPELLINGS(kind##null_delete_fn, upper##NULL_DELETE_FN)
EACH(, )
EACH(comm_, COMM_)
EACH(type_, TYPE_)
EACH(win_, WIN_)
SPELLINGS(conversion_fn_null, CONVERSION_FN_NULL)

/* MPI_F_sync_reg (section 19.1.17): that it is called is all it does. */
void mpi_f_sync_reg_(void *buf) {
    (void)buf;
}

SPELLINGS(f_sync_reg, F_SYNC_REG)

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
