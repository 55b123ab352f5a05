// One-sided operations compare the datatypes of origin and target (MPI 5.0 section 12.3.1), and a
// partitioned receive those of its partitions (section 4.2.1). Equal types cause no warning.
// ranks: 2
// modes: fibers-1 fibers-2 os-threads
// expect: rank 0: MPI_Put: the origin buffer has 2 MPI_FLOAT, but the target expects MPI_INT \(at
// expect: rank 0: MPI_Get: the origin buffer has 2 MPI_FLOAT, but the target expects MPI_INT \(at
// expect: rank 1: MPI_Wait: the message from rank 0 with tag 3 has 4 MPI_FLOAT, but the receive exp
// expect-not: MPI_LONG
// expect: ^all done$
#include "check.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, values[4] = {1, 2, 3, 4};
    long longs[4] = {0};
    MPI_Win window;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(longs, sizeof longs, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(longs, 1, MPI_LONG, 1, 0, 1, MPI_AINT, window);
        MPI_Put(values, 2, MPI_FLOAT, 1, 0, 2, MPI_INT, window);
        MPI_Get(values, 2, MPI_FLOAT, 1, 0, 2, MPI_INT, window);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    if (rank == 0)
        MPI_Psend_init(values, 2, 2, MPI_FLOAT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(values, 4, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready_range(0, 1, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    if (rank == 0)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
