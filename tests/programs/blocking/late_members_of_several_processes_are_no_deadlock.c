// Collective operations between processes whose members come late, one after the other, as rank 0
// lets them: the others wait for long, in chains and for packets on their way, and go on.
// ranks: 16
// modes: processes processes-2 hosts
// timeout: 60
#include "check.h"

#include <unistd.h>

static const int first_of[] = {0, 0, 0, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10, 13, 14, 14};

// By round and rank: whether the rank waits for rank 0's message before it takes part.
static int is_late(int round, int rank) {
    return rank > 2 && (rank * 7 + round * 5) % 3 == 0;
}

// Lets the late ones go, in another order and after another pause in each round.
static void let_them_come(int round) {
    for (int i = 0; i < 16; ++i) {
        const int rank = (i * 5 + round * 3) % 16;
        if (is_late(round, rank)) {
            usleep((useconds_t)(100 + 130 * ((round + i) % 3)) * 1000);
            MPI_Send(NULL, 0, MPI_CHAR, rank, 9, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv) {
    enum { rounds = 5 };

    int rank, own, size;
    MPI_Comm comm, inter = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, first_of[rank], rank, &comm);
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &size);
    if (rank >= 13)
        MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, rank == 13 ? 14 : 13, 1, &inter);
    for (int round = 0; round < rounds; ++round) {
        int mine = rank + round, all[4] = {-1, -1, -1, -1}, sum = -1, expected = 0;
        if (rank == 0)
            let_them_come(round);
        if (is_late(round, rank))
            MPI_Recv(NULL, 0, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        switch (first_of[rank]) {
        case 0:
            break;
        case 3:
            MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, round % size, comm);
            if (own == round % size)
                for (int i = 0; i < size; ++i)
                    CHECK_EQUAL(all[i], 3 + i + round);
            break;
        case 6:
            MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, round % size, comm);
            if (own == round % size)
                CHECK_EQUAL(sum, 6 + 7 + 8 + 9 + 4 * round);
            break;
        case 10:
            MPI_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
            for (int i = 10; i <= rank; ++i)
                expected += i + round;
            CHECK_EQUAL(sum, expected);
            break;
        default:
            MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter); // of the other group
            CHECK_EQUAL(sum, rank == 13 ? 14 + 15 + 2 * round : 13 + round);
        }
        MPI_Barrier(comm);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
