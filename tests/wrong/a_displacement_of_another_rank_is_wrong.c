// Rank 1 passes a displacement far beyond its send buffer. Rank 2 copies from there and crashes;
// the report says whose buffer it was.
// ranks: 4
// exit: 139
// expect: rank 2: segmentation fault at address
// expect: inside MPI_Alltoallv called at main \(.*_of_another_rank_is_wrong.c:18\)
// expect: while it copied from or to a buffer of rank 1, inside MPI_Alltoallv called at main \(.*_is_wrong.c:18\)
// modes: fibers-1 fibers-2 os-threads
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    static int out[4], in[4];
    int counts[4] = {1, 1, 1, 1}, displacements[4] = {0, 1, 2, 3}, wrong[4] = {0, 1, 1 << 29, 3};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alltoallv(out, counts, rank == 1 ? wrong : displacements, MPI_INT, in, counts,
                  displacements, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
