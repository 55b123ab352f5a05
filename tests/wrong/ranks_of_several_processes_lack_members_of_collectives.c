// Ranks of several processes wait in collective operations for members that wait for them, while
// one rank sleeps, one computes and one polls: a gather, a reduction, a scan, and a barrier of an
// inter-communicator. In the reduction and the scan packets go through ranks that wait themselves.
// ranks: 16
// modes: processes processes-2 hosts
// exit: 86
// expect: DEADLOCK: [0-9]+ of 16 ranks wait for each other and can never go on: ranks [0-9,-]+$
// expect-not: never go on: ranks? (.*,)?([0-2]|4|5|7|8|9|11|12|14|15)[-,]
// expect-not: never go on: .*[-,](3|4|6|7|8|10|11|13|14)(,|$)
// expect: ranks? 3.*: MPI_Gather on a communicator of 3 ranks, at .*collectives.c:[0-9]+ in main; missing: ranks? .*5$
// expect: ranks? 6.*: MPI_Reduce on a communicator of 4 ranks, at .*collectives.c:[0-9]+ in main; missing: ranks? .*9$
// expect: ranks 11,12: MPI_Scan on a communicator of 3 ranks, at .*collectives.c:[0-9]+ in main; missing: rank 10$
// expect: ranks 13,14: MPI_Barrier on a communicator of 3 ranks, at .*collectives.c:[0-9]+ in main; missing: rank 15$
// timeout: 30
#include "busy_ranks.h"

static void waits_for(int peer) {
    char byte;
    MPI_Recv(&byte, 1, MPI_CHAR, peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// By rank: the first one of the set that it belongs to.
static const int first_of[] = {0, 0, 0, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10, 13, 14, 14};

int main(int argc, char **argv) {
    int rank, mine, all[4];
    MPI_Comm comm, inter = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    MPI_Comm_split(MPI_COMM_WORLD, first_of[rank], rank, &comm);
    if (rank >= 13)
        MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, rank == 13 ? 14 : 13, 1, &inter);
    MPI_Barrier(MPI_COMM_WORLD); // one report has all sets, or those that are complete
    switch (first_of[rank]) {
    case 0:
        be_busy(rank);
        break;
    case 3:
        if (rank != 5)
            MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
        waits_for(3);
        break;
    case 6:
        if (rank != 9)
            MPI_Reduce(&mine, all, 1, MPI_INT, MPI_SUM, 0, comm);
        waits_for(6);
        break;
    case 10:
        if (rank != 10)
            MPI_Scan(&mine, all, 1, MPI_INT, MPI_SUM, comm);
        waits_for(12);
        break;
    default:
        if (rank != 15)
            MPI_Barrier(inter);
        waits_for(13);
    }
    sleep(busy_s);
    MPI_Abort(MPI_COMM_WORLD, 3);
}
