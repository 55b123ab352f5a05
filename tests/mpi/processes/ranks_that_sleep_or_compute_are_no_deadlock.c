// All ranks but one wait; that one sleeps, then computes, then sends: nobody takes that for a
// deadlock. MPI 5.0 section 3.5: "If a pair of matching send and receive operations have been
// initiated, then at least one of these two operations will complete, independently of other
// actions in the system".
// ranks: 2 4
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <stdlib.h>
#include <unistd.h>

static void compute(double seconds) {
    double end = MPI_Wtime() + seconds;
    while (MPI_Wtime() < end) {
    }
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2; ++round) {
        int busy = round % size, got = -1;
        if (rank == busy) {
            usleep(1500000);
            compute(1.5);
            MPI_Request request;
            MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
            for (int flag = 0, i = 0; i < 100 && !flag; ++i) { // who tests is not blocked
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
                usleep(5000);
            }
            MPI_Cancel(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int peer = 0; peer < size; ++peer)
                if (peer != rank)
                    MPI_Send(&round, 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&got, 1, MPI_INT, busy, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_EQUAL(got, round);
        }
    }
    if (rank == 0)
        usleep(1500000);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        usleep(1500000);
    MPI_Finalize();
    return 0;
}
