// MPI 5.0 section 3.8: the probe procedures "allow incoming messages to be checked for, without
// actually receiving them"; section 3.8.1: "it is not necessary to receive a message immediately
// after it has been probed for, and the same message may be probed for several times before it is
// received."
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    static char bytes[30000];
    int other = 1 - rank;
    if (rank == 1) {
        fill_bytes(bytes, sizeof bytes, 1);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Send(bytes, sizeof bytes, MPI_CHAR, other, 8, MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Send(bytes, 10, MPI_CHAR, other, 9, MPI_COMM_WORLD));
        return finish();
    }
    int flag = 1, count = -1;
    MPI_Status status;
    CHECK_SUCCESS(MPI_Iprobe(other, 8, MPI_COMM_WORLD, &flag, &status));
    CHECK(!flag);
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    for (int again = 0; again < 3; ++again) {
        CHECK_SUCCESS(MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status));
        CHECK(status.MPI_SOURCE == other && status.MPI_TAG == 8);
        CHECK_SUCCESS(MPI_Get_count(&status, MPI_CHAR, &count));
        CHECK_EQUAL(count, sizeof bytes);
        CHECK_SUCCESS(MPI_Iprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
        CHECK(flag && status.MPI_TAG == 8); // the older one
        CHECK_SUCCESS(MPI_Iprobe(other, 10, MPI_COMM_WORLD, &flag, &status));
        CHECK(!flag);
    }
    CHECK_SUCCESS(MPI_Recv(bytes, sizeof bytes, MPI_CHAR, other, 8, MPI_COMM_WORLD, &status));
    check_bytes(bytes, sizeof bytes, 1);
    CHECK_SUCCESS(MPI_Iprobe(other, 8, MPI_COMM_WORLD, &flag, &status));
    CHECK(!flag);
    CHECK_SUCCESS(MPI_Recv(bytes, 10, MPI_CHAR, other, 9, MPI_COMM_WORLD, &status));
    return finish();
}
