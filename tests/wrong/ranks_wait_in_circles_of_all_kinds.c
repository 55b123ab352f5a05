// One rank sleeps while the others wait for each other in circles of all kinds: a collective
// operation and a receive, all of several requests, one of several requests, any source, a large
// send, a probe.
// ranks: 12
// exit: 86
// expect: DEADLOCK: 11 of 12 ranks wait for each other and can never go on: ranks 1-11$
// expect: rank 1: MPI_Barrier on "pair" \(2 ranks\)
// expect: rank 3: MPI_Waitall for 2 requests: receive from rank 4
// expect: rank 0: outside MPI
// timeout: 30
#include <mpi.h>

#include <unistd.h>

enum { large = 1 << 20 };

static char out[large], in[large];

static void waits_for(int peer) {
    MPI_Recv(in, 1, MPI_CHAR, peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank, index;
    MPI_Comm pair, three;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 || rank == 2, rank, &pair);
    MPI_Comm_split(MPI_COMM_WORLD, rank >= 9, rank, &three);
    MPI_Comm_set_name(pair, "pair");
    switch (rank) {
    case 0:
        sleep(25);
        MPI_Abort(MPI_COMM_WORLD, 3);
        break;
    case 1:
        MPI_Barrier(pair);
        break;
    case 2:
        waits_for(1);
        break;
    case 3: // the second request may be completed by the one that sleeps
        MPI_Irecv(in, 1, MPI_CHAR, 4, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + 1, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
    case 4:
        MPI_Irecv(in, 1, MPI_CHAR, 3, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, large, MPI_CHAR, 1, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        break;
    case 5:
        MPI_Send(out, large, MPI_CHAR, 6, 9, MPI_COMM_WORLD);
        break;
    case 6:
        MPI_Send(out, large, MPI_CHAR, 5, 9, MPI_COMM_WORLD);
        break;
    case 7:
        MPI_Probe(8, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 8:
        MPI_Ssend(out, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
        break;
    case 9: // ranks 9 to 11 of the world, of which the others wait for this one
        MPI_Recv(in, 1, MPI_CHAR, MPI_ANY_SOURCE, 9, three, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Bcast(in, 1, MPI_CHAR, 0, three);
    }
    sleep(25);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
