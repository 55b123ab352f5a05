// ranks: 2
// expect: warning: 2 operations made by MPI_Op_create at .*:13 in main .* freed \(ranks 0,1, one each\)$
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    for (int i = 0; type && i < *count; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    int one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
