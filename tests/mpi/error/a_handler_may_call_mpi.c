// MPI 5.0 section 9.3.1: the handler gets the communicator and the code "to be returned by the MPI
// routine that raised the error". It may communicate, raise further errors, and replace itself; the
// call returns the first error's code.
// ranks: 2
#include "world.h"

static int depth, depth_max, calls;

static void handler(MPI_Comm *comm, int *code, ...) {
    int class, value = 5, in = 0;
    ++calls;
    if (++depth > depth_max)
        depth_max = depth;
    MPI_Error_class(*code, &class);
    if (class == MPI_ERR_RANK) {
        CHECK_SUCCESS(MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 7, &in, 1, MPI_INT, 1 - rank, 7,
                                   *comm, MPI_STATUS_IGNORE));
        CHECK_EQUAL(in, 5);
        CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 0, -5, *comm), MPI_ERR_TAG);
        CHECK_SUCCESS(MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN));
    }
    --depth;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Errhandler errhandler;
    int value = 0;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(handler, &errhandler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler));
    CHECK_SUCCESS(MPI_Errhandler_free(&errhandler));
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK(calls == 2 && depth_max == 2);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_EQUAL(calls, 2);
    return finish();
}
