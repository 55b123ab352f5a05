// MPI 5.0 section 3.10: "A communication with MPI_PROC_NULL has no effect. A send to MPI_PROC_NULL
// succeeds and returns as soon as possible. A receive from MPI_PROC_NULL succeeds and returns as
// soon as possible with no modifications to the receive buffer"; the status has source =
// MPI_PROC_NULL, tag = MPI_ANY_TAG and count = 0.
// ranks: 1
#include "messages.h"

static void check_status(const MPI_Status *status) {
    int count = -1;
    CHECK_EQUAL(status->MPI_SOURCE, MPI_PROC_NULL);
    CHECK_EQUAL(status->MPI_TAG, MPI_ANY_TAG);
    MPI_Get_count(status, MPI_INT, &count);
    CHECK_EQUAL(count, 0);
}

int main(void) {
    start(NULL, NULL);
    int value = 42, flag = 0;
    MPI_Status status = {0};
    MPI_Request request;
    CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Rsend(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    check_status(&status);
    status = (MPI_Status){0};
    CHECK_SUCCESS(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Test(&request, &flag, &status));
    CHECK(flag);
    check_status(&status);
    status = (MPI_Status){0};
    CHECK_SUCCESS(MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, &value, 1, MPI_INT,
                               MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
    check_status(&status);
    status = (MPI_Status){0};
    CHECK_SUCCESS(MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Start(&request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    check_status(&status);
    CHECK_SUCCESS(MPI_Request_free(&request));
    CHECK_EQUAL(value, 42);
    MPI_Finalize();
    return 0;
}
