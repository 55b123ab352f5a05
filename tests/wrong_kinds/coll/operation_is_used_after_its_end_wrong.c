// An operation is used after MPI_Op_free.
// ranks: 2
// exit: 10
// expect: rank [01]: MPI_Allreduce: MPI_ERR_OP: op is 0x[0-9a-f]+, which MPI_Op_free has freed at
// expect: .*wrong\.c:19 in main; made by MPI_Op_create at .*wrong\.c:17 in main \(at .*wrong\.c:20
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
    MPI_Op_free(&op);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, copy, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
