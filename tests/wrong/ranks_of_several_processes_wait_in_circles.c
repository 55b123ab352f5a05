// Ranks of several processes wait for each other in circles of all kinds while one rank sleeps, one
// computes and one polls: a receive, all of several requests, one of several requests, any source,
// a large send, a probe, a barrier, a broadcast. On a busy machine a circle whose ranks came late
// may not be in the report yet.
// ranks: 16
// modes: processes processes-2 hosts
// exit: 86
// expect: DEADLOCK: 1[0-3] of 16 ranks wait for each other and can never go on: ranks 3-1.*
// expect: ranks? [0-9,-]+: outside MPI
// expect: rank 3: MPI_Recv from rank 4, tag 9, MPI_COMM_WORLD, at .*circles.c:[0-9]+ in waits_for
// expect: rank 5: MPI_Waitall for 2 requests: receive from rank 6
// expect: rank 9: MPI_Probe from rank 10, tag 9
// expect: rank 14: MPI_Barrier on "pair" \(2 ranks\)
// timeout: 30
#include "busy_ranks.h"

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
    MPI_Comm_split(MPI_COMM_WORLD, rank == 14 || rank == 15, rank, &pair);
    MPI_Comm_split(MPI_COMM_WORLD, rank >= 11 && rank < 14, rank, &three);
    MPI_Comm_set_name(pair, "pair");
    MPI_Barrier(MPI_COMM_WORLD); // all wait from the same moment, so one report has them all
    switch (rank) {
    case 0:
    case 1:
    case 2:
        be_busy(rank);
        break;
    case 3:
    case 4:
        waits_for(7 - rank);
        break;
    case 5: // the second request may be completed by the one that sleeps
        MPI_Irecv(in, 1, MPI_CHAR, 6, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + 1, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
    case 6:
        MPI_Irecv(in, 1, MPI_CHAR, 5, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, large, MPI_CHAR, 3, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        break;
    case 7:
    case 8:
        MPI_Send(out, large, MPI_CHAR, 15 - rank, 9, MPI_COMM_WORLD);
        break;
    case 9:
        MPI_Probe(10, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 10:
        MPI_Ssend(out, 1, MPI_CHAR, 3, 9, MPI_COMM_WORLD);
        break;
    case 11: // ranks 11 to 13 of the world, of which the others wait for this one
        MPI_Recv(in, 1, MPI_CHAR, MPI_ANY_SOURCE, 9, three, MPI_STATUS_IGNORE);
        break;
    case 12:
    case 13:
        MPI_Bcast(in, 1, MPI_CHAR, 0, three);
        break;
    case 14:
        MPI_Barrier(pair);
        break;
    default:
        waits_for(14);
    }
    sleep(busy_s);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
