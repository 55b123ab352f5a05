/* What libmpi.so.12 has beside the functions of MPI: the predefined callback that is a function in
 * MPICH's interface, and the addresses that are variables there. They hold the addresses of the
 * standard ABI, so that nothing need be converted. */
#include <stddef.h>

int MPIR_Dup_fn(int object, int keyval, void *extra_state, void *in, void *out, int *flag) {
    (void)object, (void)keyval, (void)extra_state;
    *flag = 1;
    *(void **)out = in;
    return 0;
}

int *const MPI_UNWEIGHTED = (int *)10;
int *const MPI_WEIGHTS_EMPTY = (int *)11;
void *const MPI_T_PVAR_ALL_HANDLES = (void *)1;

/* Fortran's statuses to be ignored, as C passes them. */
int *MPI_F_STATUS_IGNORE = (int *)1;
int *MPI_F_STATUSES_IGNORE = (int *)1;

/* Returns whether the library copies between the memories of graphics processors: it does not. */
int MPIX_Query_cuda_support(void) {
    return 0;
}
