// With --deadlock=warn the ranks of two processes are named once, and the job goes on until it ends
// otherwise. The other ranks send each other messages all the time.
// ranks: 5
// modes: processes processes-2 hosts
// options: --deadlock warn
// exit: 7
// expect: DEADLOCK: 2 of 5 ranks wait for each other and can never go on: ranks 1,2$
// expect: ranks 1,2: MPI_Recv from each other, tag 4
// expect: the job goes on \(--deadlock=warn\)
// timeout: 30
#include <mpi.h>

#include <time.h>

int main(int argc, char **argv) {
    int rank, value, own;
    MPI_Comm others;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 || rank == 2, rank, &others);
    if (rank == 1 || rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 3 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_rank(others, &own);
    for (const time_t end = time(NULL) + 5; time(NULL) < end;)
        MPI_Sendrecv(&rank, 1, MPI_INT, (own + 1) % 3, 5, &value, 1, MPI_INT, (own + 2) % 3, 5,
                     others, MPI_STATUS_IGNORE);
    MPI_Abort(MPI_COMM_WORLD, 7);
}
