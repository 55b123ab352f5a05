// Rank 1 calls a function pointer that was never set: the report shows the caller.
// exit: 139
// expect: rank 1: segmentation fault at address 0x0, from run \(.*call_through_a_null_pointer.c:14\)
// timeout: 30
#include <mpi.h>

#include <stddef.h>

static void nothing(void) {}

void (*volatile step)(void) = nothing;

__attribute__((noinline)) static int run(void) {
    step();
    return 0;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        step = NULL;
    int code = run();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
