/* What libmpi.so.40 has beside the functions and handles of MPI: the predefined callbacks, which
 * are functions in Open MPI's interface, and the addresses that mpi.h declares. Its files are part
 * of the library, not of the core. */
#include <stddef.h>

/* One pair of functions for each kind of object; `object` is any handle. */
#define NULL_COPY(name)                                                                            \
    int name(void *object, int keyval, void *extra_state, void *in, void *out, int *flag) {        \
        (void)object, (void)keyval, (void)extra_state, (void)in, (void)out;                        \
        *flag = 0;                                                                                 \
        return 0;                                                                                  \
    }
#define DUP(name)                                                                                  \
    int name(void *object, int keyval, void *extra_state, void *in, void *out, int *flag) {        \
        (void)object, (void)keyval, (void)extra_state;                                             \
        *flag = 1;                                                                                 \
        *(void **)out = in;                                                                        \
        return 0;                                                                                  \
    }
#define NULL_DELETE(name)                                                                          \
    int name(void *object, int keyval, void *value, void *extra_state) {                           \
        (void)object, (void)keyval, (void)value, (void)extra_state;                                \
        return 0;                                                                                  \
    }
#define CALLBACKS(kind)                                                                            \
    NULL_COPY(OMPI_C_MPI_##kind##NULL_COPY_FN)                                                     \
    DUP(OMPI_C_MPI_##kind##DUP_FN) NULL_DELETE(OMPI_C_MPI_##kind##NULL_DELETE_FN)
CALLBACKS()
CALLBACKS(COMM_)
CALLBACKS(TYPE_)
CALLBACKS(WIN_)

/* Fortran's statuses to be ignored, as C passes them. */
static int ignored_status[8], ignored_statuses[8], ignored_f08_status[8];
int *MPI_F_STATUS_IGNORE = ignored_status;
int *MPI_F_STATUSES_IGNORE = ignored_statuses;
int *MPI_F08_STATUS_IGNORE = ignored_f08_status;
int *MPI_F08_STATUSES_IGNORE = ignored_statuses;

/* Of the C++ bindings, see cxx.c: `function` is of an operation that MPI::Op::Init() has made. */
void thrum_openmpi_op_set_cxx_callback(void *op, void (*function)(void));

void ompi_op_set_cxx_callback(void *op, void (*function)(void)) {
    thrum_openmpi_op_set_cxx_callback(op, function);
}

/* Returns whether the library copies between the memories of graphics processors (mpi-ext.h): it
 * does not. */
int MPIX_Query_cuda_support(void) {
    return 0;
}

int MPIX_Query_rocm_support(void) {
    return 0;
}
