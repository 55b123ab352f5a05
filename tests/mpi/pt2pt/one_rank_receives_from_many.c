// MPI 5.0 section 3.5: each sender's messages arrive in order while many senders reach one
// receiver; "MPI makes no guarantee of fairness", but none is lost.
// ranks: 2 64
#include "messages.h"

enum { kMessages = 50 };

int main(void) {
    start(NULL, NULL);
    if (rank > 0) {
        for (int i = 0; i < kMessages; ++i) {
            int out[20] = {rank, i};
            MPI_Send(out, 2 + i % 18, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
    } else {
        int next[64] = {0};
        for (int i = 0; i < kMessages * (size - 1); ++i) {
            int in[20], count = -1;
            MPI_Status status;
            MPI_Recv(in, 20, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK_EQUAL(in[0], status.MPI_SOURCE);
            CHECK_EQUAL(in[1], next[status.MPI_SOURCE]);
            CHECK_EQUAL(status.MPI_TAG, in[1]);
            MPI_Get_count(&status, MPI_INT, &count);
            CHECK_EQUAL(count, 2 + in[1] % 18);
            ++next[status.MPI_SOURCE];
        }
        for (int source = 1; source < size; ++source)
            CHECK_EQUAL(next[source], kMessages);
    }
    MPI_Finalize();
    return 0;
}
