// MPI 5.0 section 3.5: "Messages are nonovertaking: If a sender sends two messages in succession to
// the same destination, and both match the same receive, then this operation cannot receive the
// second message if the first one is still pending."
// ranks: 2 5
#include "messages.h"

enum { kMessages = 300 };

// Lengths go up and down across every protocol; all match the same wildcard receive.
static int length(int message) {
    static const int lengths[] = {1, 70000, 3, 900, 0, 20000, 17};
    return 1 + lengths[message % 7];
}

int main(void) {
    start(NULL, NULL);
    static int data[70001];
    if (rank > 0) {
        MPI_Request requests[4];
        for (int i = 0; i < kMessages; i += 4) {
            static int out[4][70001];
            for (int k = 0; k < 4; ++k) {
                out[k][0] = i + k;
                MPI_Isend(out[k], length(i + k), MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[k]);
            }
            MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        }
    } else {
        int next[8] = {0};
        for (int i = 0; i < kMessages * (size - 1); ++i) {
            MPI_Status status;
            int count;
            MPI_Recv(data, 70001, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK_EQUAL(data[0], next[status.MPI_SOURCE]);
            MPI_Get_count(&status, MPI_INT, &count);
            CHECK_EQUAL(count, length(data[0]));
            ++next[status.MPI_SOURCE];
        }
    }
    MPI_Finalize();
    return 0;
}
