// The handle that MPI_Comm_get_errhandler returns must be freed, unless the handler is predefined.
// ranks: 2
// expect: 2 error handlers made by MPI_Comm_create_errhandler at .*:15 in main .* freed \(ranks 0,1, one each\)$
// expect: 2 error handlers returned by MPI_Comm_get_errhandler at .*:17 in main .* freed \(ranks 0,1, one each\)$
// expect-not: leaks_an_error_handler.c:14
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
}

int main(int argc, char **argv) {
    MPI_Errhandler made, found;
    MPI_Init(&argc, &argv), MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    MPI_Comm_create_errhandler(ignore, &made);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, made);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    MPI_Finalize();
    return 0;
}
