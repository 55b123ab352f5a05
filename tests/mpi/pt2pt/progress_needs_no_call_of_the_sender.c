// MPI 5.0 section 3.5: "if a pair of matching send and receive operations have been initiated then
// at least one of these two operations will complete, independently of other actions in the
// system": a pending large send completes while its sender waits for something else.
// ranks: 3
#include "messages.h"

enum { kCount = 500000 };

int main(void) {
    start(NULL, NULL);
    static int data[kCount];
    int go = 0;
    MPI_Request request;
    if (rank == 0) {
        for (int i = 0; i < kCount; ++i)
            data[i] = i;
        MPI_Isend(data, kCount, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        // Rank 2 answers only after rank 1 has all the data.
        MPI_Recv(&go, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(data, kCount, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < kCount; ++i)
            CHECK_EQUAL(data[i], i);
        MPI_Send(&go, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&go, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
