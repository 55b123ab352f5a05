// ranks: 2
// MPI 5.0 section 9.3.1: the error handler of a communicator is called with the communicator and
// the error code; a duplicate inherits the handler (section 7.4.2).
#include "world.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void count_error(MPI_Comm *comm, int *code, ...) {
    calls++;
    last_comm = *comm;
    MPI_Error_class(*code, &last_class);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Comm copy;
    int value = 0;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(count_error, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    CHECK(handler == MPI_ERRHANDLER_NULL);
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK(calls == 1 && last_comm == MPI_COMM_WORLD && last_class == MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 0, -1, copy), MPI_ERR_TAG);
    CHECK(calls == 2 && last_comm == copy && last_class == MPI_ERR_TAG);
    CHECK_SUCCESS(MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER));
    CHECK(calls == 3 && last_class == MPI_ERR_OTHER);
    CHECK_SUCCESS(MPI_Comm_free(&copy));
    return finish();
}
