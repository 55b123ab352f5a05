// Each member of a reduction should have data of the same type: MPI 5.0 section 6.9.1, "The routine
// is called by all group members using the same arguments for count, datatype, op, root and comm."
// Here rank 1 has other types in all reductions, which is a warning for each line.
// ranks: 3
// expect: warning: rank [0-9]: MPI_Reduce: rank [0-9] has 2 MPI_(INT|FLOAT), but.*:19 in main; received at .*:19
// expect: warning: rank [0-9]: MPI_Reduce_scatter: rank [0-9] has 3 MPI_(INT|FLOAT), but.*:20 in main.*:20
// expect: warning: rank [0-9]: MPI_Reduce_scatter_block: rank [0-9] has 3 MPI_.*:21 in main.*:21
// expect: warning: rank [0-9]: MPI_Scan: rank [0-9] has 2 MPI_(INT|FLOAT), but.*:22
// expect: warning: rank [0-9]: MPI_Exscan: rank [0-9] has 2 MPI_(INT|FLOAT), but.*:23
// expect: warning: rank [0-9]: MPI_(Ireduce|Wait): rank [0-9] has 2 MPI_(INT|FLOAT), but.*:24
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, mine[3] = {1, 2, 3}, all[3], counts[3] = {1, 1, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    const MPI_Datatype type = rank == 1 ? MPI_FLOAT : MPI_INT;
    MPI_Reduce(mine, all, 2, type, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(mine, all, counts, type, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(mine, all, 1, type, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(mine, all, 2, type, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(mine, all, 2, type, MPI_SUM, MPI_COMM_WORLD);
    MPI_Ireduce(mine, all, 2, type, MPI_SUM, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
