// Requests of each kind whose operation is complete, and one that is not, but no MPI_Wait knows of
// them: a send that was complete at once, a large send, receives, a collective, a pair.
// ranks: 4
// expect: warning: 4 requests made by MPI_Isend at .*:24 in exchange .* completed \(ranks 0-3, one each\)$
// expect: warning: 4 requests made by MPI_Irecv at .*:25 in exchange .* completed \(ranks 0-3, one each\)$
// expect: warning: 4 requests made by MPI_Isend at .*:27 in exchange .* completed \(ranks 0-3, one each\)$
// expect: warning: 4 requests made by MPI_Ibarrier at .*:29 in exchange .* completed \(ranks 0-3, one each\)$
// expect: warning: 4 requests made by MPI_Isendrecv at .*:30 in exchange .* completed \(ranks 0-3, one each\)$
// expect: warning: 2 requests made by MPI_Irecv at .*:43 in main were never completed \(rank 2\)$
// expect-not: leaks_a_request.c:45
#include <mpi.h>

#include <stdlib.h>

enum { large = 1 << 20 };

static int *sent, *received, pair[2];

// The buffers live as long as the rank: the library may still use them.
static void exchange(int left, int right) {
    MPI_Request request;
    sent = calloc(large, sizeof *sent);
    received = calloc(large + 1, sizeof *received);
    MPI_Isend(sent, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request);
    MPI_Irecv(received + large, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);

    MPI_Isend(sent, large, MPI_INT, right, 2, MPI_COMM_WORLD, &request);
    MPI_Recv(received, large, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Isendrecv(pair, 1, MPI_INT, right, 3, pair + 1, 1, MPI_INT, left, 3, MPI_COMM_WORLD,
                  &request);
}

int main(int argc, char **argv) {
    static int never[2];
    int rank, size;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange((rank + size - 1) % size, (rank + 1) % size);
    for (int i = 0; rank == 2 && i < 2; ++i) {
        MPI_Irecv(never + i, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
