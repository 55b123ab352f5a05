// MPI 5.0 section 3.2.5: "In general, message-passing calls do not modify the value of the error
// code field of status variables. This field may be updated only by the functions ... that return
// multiple statuses. The field is updated if and only if such function returns with an error code
// of MPI_ERR_IN_STATUS."
// ranks: 1
#include "messages.h"

enum { kMark = 12345 };

int main(void) {
    start_with_errors_returned();
    int out[2] = {1, 2}, in[2], flag = 0, index;
    MPI_Status status, statuses[2];
    MPI_Request requests[2];
    status.MPI_ERROR = statuses[0].MPI_ERROR = statuses[1].MPI_ERROR = kMark;

    CHECK_SUCCESS(
        MPI_Sendrecv(out, 2, MPI_INT, 0, 1, in, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &status));
    CHECK_EQUAL(status.MPI_ERROR, kMark);
    CHECK_SUCCESS(MPI_Isend(out, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]));
    CHECK_SUCCESS(MPI_Probe(0, 1, MPI_COMM_WORLD, &status));
    CHECK_EQUAL(status.MPI_ERROR, kMark);
    CHECK_SUCCESS(MPI_Recv(in, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &status));
    CHECK_EQUAL(status.MPI_ERROR, kMark);
    CHECK_SUCCESS(MPI_Wait(&requests[0], &status));
    CHECK_EQUAL(status.MPI_ERROR, kMark);
    CHECK_SUCCESS(MPI_Irecv(in, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]));
    CHECK_SUCCESS(MPI_Send(out, 2, MPI_INT, 0, 1, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Testany(1, requests, &index, &flag, &status));
    CHECK(flag && index == 0);
    CHECK_EQUAL(status.MPI_ERROR, kMark);

    for (int room = 2; room >= 1; --room) {
        CHECK_SUCCESS(MPI_Irecv(in, room, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]));
        CHECK_SUCCESS(MPI_Isend(out, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]));
        int code = MPI_Waitall(2, requests, statuses);
        CHECK_ERROR(code, room == 2 ? MPI_SUCCESS : MPI_ERR_IN_STATUS);
        if (room == 2) {
            CHECK(statuses[0].MPI_ERROR == kMark && statuses[1].MPI_ERROR == kMark);
        } else {
            CHECK_ERROR(statuses[0].MPI_ERROR, MPI_ERR_TRUNCATE);
            CHECK_EQUAL(statuses[1].MPI_ERROR, MPI_SUCCESS);
        }
    }
    return finish();
}
