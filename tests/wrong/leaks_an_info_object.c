// Those that the program makes, and those that MPI_Comm_get_info returns.
// ranks: 2
// expect: warning: 1 info object made by MPI_Info_create at .*:13 in main .* freed \(rank 1\)$
// expect: warning: 2 info objects returned by MPI_Comm_get_info at .*:15 in main .* freed \(ranks 0,1, one each\)$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info info, used;
    if (rank == 1)
        MPI_Info_create(&info);

    MPI_Comm_get_info(MPI_COMM_WORLD, &used);
    MPI_Finalize();
    return 0;
}
