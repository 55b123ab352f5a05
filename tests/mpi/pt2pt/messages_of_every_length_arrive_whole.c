// MPI 5.0 section 3.2.2: "The send buffer specified by the MPI_SEND procedure consists of count
// successive entries of the type indicated by datatype": whatever protocol the length selects,
// whether the receive or the message comes first.
// ranks: 2
#include "messages.h"

static char data[3000000];

static void check_length(int count, int receive_first) {
    MPI_Request request;
    MPI_Status status;
    int got = -1;
    if (rank == 0) {
        fill_bytes(data, count, count);
        if (receive_first)
            MPI_Recv(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Isend(data, count, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        if (!receive_first)
            MPI_Send(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    }
    if (!receive_first)
        MPI_Recv(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
    if (receive_first)
        MPI_Send(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_CHAR, &got);
    CHECK_EQUAL(got, count);
    check_bytes(data, count, count);
}

int main(void) {
    start(NULL, NULL);
    for (int count = 0; count <= 300; ++count)
        check_length(count, count % 2);
    // Around every power of two, where limits usually are.
    for (int power = 512; power <= 131072; power *= 2)
        for (int count = power - 2; count <= power + 2; ++count) {
            check_length(count, 0);
            check_length(count, 1);
        }
    check_length(3000000, 0);
    check_length(3000000, 1);
    MPI_Finalize();
    return 0;
}
