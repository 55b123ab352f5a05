// One rank of a process sleeps until other processes have something for it. Then the other rank
// waits for another process in a barrier: the one who sleeps is woken on its behalf. (The ranks of
// a third process compute, so that nobody looks whether all are blocked, which wakes them.)
//
// ranks: 6
// modes: processes-2
// options: --threads=os
#include "messages.h"

enum { rounds = 12 };

static void compute_ms(double ms) {
    const double end = MPI_Wtime() + ms / 1000;
    while (MPI_Wtime() < end)
        continue;
}

static void compute_until_told(int source) {
    int done = 0;
    MPI_Request request;
    CHECK_SUCCESS(MPI_Irecv(NULL, 0, MPI_INT, source, 2, MPI_COMM_WORLD, &request));
    while (!done) {
        compute_ms(1);
        CHECK_SUCCESS(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
}

int main(void) {
    start_with_errors_returned();
    const int in_middle = rank == 1 || rank == 2, neighbour = rank ^ 1;
    MPI_Comm pair;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, in_middle, rank, &pair));
    if (rank >= 4)
        compute_until_told(rank - 3);
    for (int round = 0; rank < 4 && round < rounds; ++round) {
        int value = -1;
        if (!in_middle) {
            CHECK_SUCCESS(
                MPI_Recv(&value, 1, MPI_INT, neighbour, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_EQUAL(value, round);
            continue;
        }
        // The first one is late by more than anybody looks before it sleeps, then the other one.
        compute_ms((rank + round) % 2 ? 20 : 40);
        CHECK_SUCCESS(MPI_Barrier(pair));
        CHECK_SUCCESS(MPI_Send(&round, 1, MPI_INT, neighbour, 1, MPI_COMM_WORLD));
    }
    if (in_middle)
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, rank + 3, 2, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Comm_free(&pair));
    return finish();
}
