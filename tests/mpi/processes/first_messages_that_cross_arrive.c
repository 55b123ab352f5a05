// The first messages between two processes go both ways at the same time, so both sides connect at
// once. MPI 5.0 section 3.5: "If a pair of matching send and receives have been initiated on two
// processes, then at least one of these two operations will complete".
// ranks: 2 12
// expect: ^all have arrived$
#include "check.h"

#include <mpi.h>

#include <stdio.h>

enum { ranks_max = 64 };

int main(int argc, char **argv) {
    int rank, size, sent[ranks_max], received[ranks_max];
    MPI_Request requests[2 * ranks_max];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD); // by the other channel
    for (int peer = 0; peer < size; ++peer) {
        sent[peer] = 1000 * rank + peer;
        MPI_Isend(&sent[peer], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[2 * peer]);
        MPI_Irecv(&received[peer], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[2 * peer + 1]);
    }
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
    for (int peer = 0; peer < size; ++peer)
        CHECK_EQUAL(received[peer], 1000 * peer + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("all have arrived");
    MPI_Finalize();
    return 0;
}
