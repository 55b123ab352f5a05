// MPI_Accumulate takes predefined operations only.
// ranks: 1
// exit: 10
// expect: rank 0: MPI_Accumulate: MPI_ERR_OP: op is an operation of the program, but.*wrong\.c:20
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    for (int i = 0; i < *count; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv) {
    int *memory, value = 1;
    MPI_Win win;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(add, 1, &op);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
