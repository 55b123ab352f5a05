// MPI 5.0 section 9.3.1: the second argument of a user's error handler "is the error code to be
// returned by the MPI routine that raised the error": what the handler makes of it is returned.
// ranks: 1
#include "world.h"

static int other_code;

static void change(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    *code = other_code;
}

static void change_to_success(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    *code = MPI_SUCCESS;
}

int main(void) {
    start(NULL, NULL);
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Status status;
    int in[2], out[4] = {1, 2, 3, 4}, class;
    CHECK_SUCCESS(MPI_Add_error_class(&class));
    CHECK_SUCCESS(MPI_Add_error_code(class, &other_code));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(change, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    CHECK_EQUAL(MPI_Send(out, 1, MPI_INT, 99, 0, MPI_COMM_WORLD), other_code);
    CHECK_SUCCESS(MPI_Irecv(in, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Send(out, 4, MPI_INT, 0, 0, MPI_COMM_WORLD));
    CHECK_EQUAL(MPI_Wait(&request, &status), other_code);
    CHECK_SUCCESS(MPI_Comm_create_errhandler(change_to_success, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    CHECK_EQUAL(MPI_Send(out, 1, MPI_INT, 99, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    return finish();
}
