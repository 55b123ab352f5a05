// MPI 5.0 section 6.3: "MPI_BARRIER blocks the caller until all group members have called it. The
// call returns at any MPI process only after all group members have entered the call."
// ranks: 1 2 5 33
#include "world.h"

// Before each barrier every rank sends rank 0 a message. After it all of them have been sent, thus
// a probe at rank 0 that is given time must find each; and no rank may have sent the next round's.
int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int round = 0; round < 20; ++round) {
        if ((rank + round) % 7 == 3)
            for (volatile int i = 0; i < 20000; ++i)
                ;
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD, &request);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        int early = 0, value = -1;
        MPI_Status status;
        if (rank == 0) {
            MPI_Iprobe(MPI_ANY_SOURCE, round + 1, MPI_COMM_WORLD, &early, &status);
            CHECK(!early);
            for (int i = 0; i < size; ++i) {
                MPI_Recv(&value, 1, MPI_INT, i, round, MPI_COMM_WORLD, &status);
                CHECK_EQUAL(value, i);
            }
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    }
    return finish();
}
