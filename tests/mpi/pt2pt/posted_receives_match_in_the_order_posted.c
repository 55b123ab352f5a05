// MPI 5.0 section 3.5: "if a receiver posts two receives in succession, and both match the same
// message, then the second receive operation cannot be satisfied by this message, if the first one
// is still pending": also when one of them has wildcards.
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    if (rank == 1) {
        int got[6] = {-1, -1, -1, -1, -1, -1};
        MPI_Request requests[6];
        MPI_Irecv(&got[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(&got[2], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
        MPI_Irecv(&got[3], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &requests[3]);
        MPI_Irecv(&got[4], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[4]);
        MPI_Irecv(&got[5], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &requests[5]);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        // Sent: 0 to 3 with tag 5, 4 and 5 with tag 6.
        for (int i = 0; i < 6; ++i)
            CHECK_EQUAL(got[i], i);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 6; ++i)
            MPI_Send(&i, 1, MPI_INT, 1, i < 4 ? 5 : 6, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
