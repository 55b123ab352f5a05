// MPI 5.0 section 9.3.1: "A newly created communicator inherits the error handler that is
// associated with the ``parent'' communicator." What is set later concerns one communicator only.
// ranks: 2 4
#include "world.h"

static int calls_first, calls_second;

static void first(MPI_Comm *comm, int *code, ...) {
    ++calls_first;
}

static void second(MPI_Comm *comm, int *code, ...) {
    ++calls_second;
}

static void check_handler(MPI_Comm comm, int expected_first, int expected_second) {
    int value = 0;
    calls_first = calls_second = 0;
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 1000, 0, comm), MPI_ERR_RANK);
    CHECK_EQUAL(calls_first, expected_first);
    CHECK_EQUAL(calls_second, expected_second);
}

int main(int argc, char **argv) {
    enum { kMade = 6 };

    start(&argc, &argv);
    MPI_Errhandler handlers[2];
    MPI_Comm parent, made[kMade];
    MPI_Group group;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(first, &handlers[0]));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(second, &handlers[1]));
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &parent));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(parent, handlers[0]));

    CHECK_SUCCESS(MPI_Comm_dup(parent, &made[0]));
    CHECK_SUCCESS(MPI_Comm_split(parent, rank % 2, rank, &made[1]));
    CHECK_SUCCESS(MPI_Comm_group(parent, &group));
    CHECK_SUCCESS(MPI_Comm_create(parent, group, &made[2]));
    CHECK_SUCCESS(MPI_Comm_create_group(parent, group, 3, &made[3]));
    CHECK_SUCCESS(MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made[4]));
    MPI_Request request;
    CHECK_SUCCESS(MPI_Comm_idup(parent, &made[5], &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < kMade; ++i)
        check_handler(made[i], 1, 0);

    // Later changes concern neither the children nor the parent.
    CHECK_SUCCESS(MPI_Comm_set_errhandler(parent, handlers[1]));
    check_handler(parent, 0, 1);
    check_handler(made[0], 1, 0);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(made[0], MPI_ERRORS_RETURN));
    check_handler(made[0], 0, 0);
    check_handler(made[1], 1, 0);
    check_handler(parent, 0, 1);

    CHECK_SUCCESS(MPI_Group_free(&group));
    for (int i = 0; i < 2; ++i)
        CHECK_SUCCESS(MPI_Errhandler_free(&handlers[i]));
    for (int i = 0; i < kMade; ++i)
        CHECK_SUCCESS(MPI_Comm_free(&made[i]));
    CHECK_SUCCESS(MPI_Comm_free(&parent));
    return finish();
}
