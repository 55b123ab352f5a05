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

/* Module mpi_f08: its constants that are addresses, in C's or in a module's names ... */
int32_t MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
int32_t MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
#define LINK_CONSTANT(type, name) type __mpi_f08_link_constants_MOD_mpi_##name[1]
LINK_CONSTANT(int32_t, errcodes_ignore);
LINK_CONSTANT(int32_t, unweighted);
LINK_CONSTANT(int32_t, weights_empty);
LINK_CONSTANT(char, argv_null);
LINK_CONSTANT(char, argvs_null);

/* ... the predefined callbacks ... */
#define CALLBACK(name)                                                                             \
    extern __typeof(mpi_##name##_) __mpi_f08_callbacks_MOD_mpi_##name                              \
        __attribute__((alias("mpi_" #name "_")));
#define CALLBACKS_OF(kind)                                                                         \
    CALLBACK(kind##_null_copy_fn) CALLBACK(kind##_dup_fn) CALLBACK(kind##_null_delete_fn)
CALLBACKS_OF(comm)
CALLBACKS_OF(type)
CALLBACKS_OF(win)
CALLBACK(conversion_fn_null)

void __mpi_f08_callbacks_MOD_mpi_conversion_fn_null_c(void) {}

/* ... == and /= of handles with handles and with INTEGERs, also those of module mpi ... */
#define COMPARISON(name, operator)                                                                 \
    int32_t name(const int32_t *a, const int32_t *b) {                                             \
        return *a operator* b;                                                                     \
    }
#define COMPARISONS_OF(kind)                                                                       \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_eq, ==)                                            \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_neq, !=)                                           \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f08_eq_f, ==)                                      \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f08_neq_f, !=)                                     \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f_eq_f08, ==)                                      \
    COMPARISON(__mpi_f08_types_MOD_mpi_##kind##_f_neq_f08, !=)                                     \
    COMPARISON(__mpi_constants_MOD_##kind##eq, ==)                                                 \
    COMPARISON(__mpi_constants_MOD_##kind##neq, !=)
COMPARISONS_OF(comm)
COMPARISONS_OF(datatype)
COMPARISONS_OF(errhandler)
COMPARISONS_OF(file)
COMPARISONS_OF(group)
COMPARISONS_OF(info)
COMPARISONS_OF(message)
COMPARISONS_OF(op)
COMPARISONS_OF(request)
COMPARISONS_OF(session)
COMPARISONS_OF(win)

/* ... copies of statuses, whose forms are all the same ... */
#define STATUS_COPY(name)                                                                          \
    void name(const int32_t *from, int32_t *to, int32_t *ierror) {                                 \
        for (int i = 0; i < 5; ++i)                                                                \
            to[i] = from[i];                                                                       \
        if (ierror)                                                                                \
            *ierror = 0;                                                                           \
    }
STATUS_COPY(__mpi_f08_types_MOD_mpi_status_f2f08)
STATUS_COPY(__mpi_f08_types_MOD_mpi_status_f082f)
#define STATUS_ASSIGNMENT(name)                                                                    \
    void name(int32_t *to, const int32_t *from) {                                                  \
        for (int i = 0; i < 5; ++i)                                                                \
            to[i] = from[i];                                                                       \
    }
STATUS_ASSIGNMENT(__mpi_f08_types_MOD_mpi_status_c_assign_f08)
STATUS_ASSIGNMENT(__mpi_f08_types_MOD_mpi_status_f08_assign_c)

/* ... MPI_Sizeof, of variables of any rank ... */
#define SIZEOF_F08(type, bytes)                                                                    \
    void __mpi_f08_types_MOD_mpi_sizeof_##type(void *x, int32_t *size, int32_t *ierror) {          \
        *size = bytes;                                                                             \
        if (ierror)                                                                                \
            *ierror = 0;                                                                           \
    }
SIZEOF_F08(character, 1)
SIZEOF_F08(logical, 4)
SIZEOF_F08(xint8, 1)
SIZEOF_F08(xint16, 2)
SIZEOF_F08(xint32, 4)
SIZEOF_F08(xint64, 8)
SIZEOF_F08(xreal32, 4)
SIZEOF_F08(xreal64, 8)
SIZEOF_F08(xreal128, 16)
SIZEOF_F08(xcomplex32, 8)
SIZEOF_F08(xcomplex64, 16)
SIZEOF_F08(xcomplex128, 32)

/* ... and MPI_F_sync_reg. */
void mpi_f_sync_reg_f08ts_(void *buf) __attribute__((alias("mpi_f_sync_reg_")));
void pmpir_f_sync_reg_f08ts_(void *buf) __attribute__((alias("mpi_f_sync_reg_")));
