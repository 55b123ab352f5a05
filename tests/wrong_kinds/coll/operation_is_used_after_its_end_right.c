// It is freed afterwards.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    for (int i = 0; i < *count; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
    int value = 1, sum;
    MPI_Op op, copy;
    MPI_Init(&argc, &argv);
    MPI_Op_create(add, 1, &op);
    copy = op;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, copy, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
