// MPI 5.0 section 3.2.7: the send-receive operation is "useful for executing a shift operation
// across a chain of MPI processes"; with it "the communication subsystem takes care of" cyclic
// dependencies, also for messages that no mode buffers.
// ranks: 1 2 5
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    static char out[300000], in[300000];
    static const int counts[] = {1, 4000, 300000};
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 3; ++i) {
        MPI_Status status;
        int count = -1;
        fill_bytes(out, counts[i], rank);
        CHECK_SUCCESS(MPI_Sendrecv(out, counts[i], MPI_CHAR, right, rank, in, 300000, MPI_CHAR,
                                   left, left, MPI_COMM_WORLD, &status));
        MPI_Get_count(&status, MPI_CHAR, &count);
        CHECK_EQUAL(count, counts[i]);
        CHECK_EQUAL(status.MPI_SOURCE, left);
        check_bytes(in, count, left);
    }
    MPI_Finalize();
    return 0;
}
