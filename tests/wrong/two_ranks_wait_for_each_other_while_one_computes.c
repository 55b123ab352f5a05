// The time limit ends the job: the report says what each rank was doing, like that of a deadlock.
// ranks: 5
// options: --deadlock off
// exit: 124
// expect: thrum: terminated: 2 ranks in MPI_Recv, 2 in MPI_Barrier, 1 computing
// expect: ranks 0,1: MPI_Recv from each other, tag 4, MPI_COMM_WORLD, at .*_while_one_computes.c:25 in main
// expect: rank 2: outside MPI
// expect: ranks 3,4: MPI_Barrier on "upper" \(3 ranks\), at .*_while_one_computes.c:27 in main; missing: rank 2
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// expect: rank 1 has an unmatched message from rank 0 with tag 5 on MPI_COMM_WORLD
// modes: fibers-2 os-threads
// timeout: 3
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 1;
    MPI_Comm upper;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 1, rank, &upper);
    MPI_Comm_set_name(upper, "upper");
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (rank < 2)
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 2)
        MPI_Barrier(upper);
    for (volatile int forever = 1; forever;)
        ;
}
