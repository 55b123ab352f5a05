// It is freed.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

static void say(MPI_Comm *comm, int *code, ...) {}

int main(int argc, char **argv) {
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(say, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return 0;
}
