// Rank 0 receives from MPI_ANY_SOURCE and takes it for granted that this is rank 1's message. If it
// was rank 2's, no other one comes. Which one comes first is the choice of a schedule.
// MPI 5.0 section 3.5: "messages are non-overtaking" holds for messages of one sender only.
// ranks: 3
// options: --seed 1
// modes: fibers-1 fibers-2
// exit: 86
// expect: DEADLOCK: all 3 ranks are blocked
// expect: rank 0: MPI_Recv from rank 2, tag 0, MPI_COMM_WORLD, at .*rank_1.c:20 in main
// expect: rank 0 has an unmatched message from rank 1 with tag 0
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
