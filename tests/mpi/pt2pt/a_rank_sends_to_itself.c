// MPI 5.0 section 3.2.4: "Source = destination is allowed, that is, an MPI process can send a
// message to itself."
// ranks: 1 3
#include "messages.h"

static char out[200000], in[200000];

static void send_to_self(int count, int me, MPI_Comm comm) {
    MPI_Request request;
    MPI_Status status;
    fill_bytes(out, count, count);
    // Receive first, then send first.
    MPI_Irecv(in, count, MPI_CHAR, me, 1, comm, &request);
    MPI_Send(out, count, MPI_CHAR, me, 1, comm);
    MPI_Wait(&request, &status);
    CHECK_EQUAL(status.MPI_SOURCE, me);
    check_bytes(in, count, count);
    for (int i = 0; i < count; ++i)
        in[i] = 0;
    MPI_Isend(out, count, MPI_CHAR, me, 2, comm, &request);
    MPI_Recv(in, count, MPI_CHAR, MPI_ANY_SOURCE, 2, comm, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQUAL(status.MPI_SOURCE, me);
    check_bytes(in, count, count);
}

int main(void) {
    start(NULL, NULL);
    static const int counts[] = {0, 1, 100, 5000, 200000};
    for (int i = 0; i < 5; ++i) {
        send_to_self(counts[i], rank, MPI_COMM_WORLD);
        send_to_self(counts[i], 0, MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
