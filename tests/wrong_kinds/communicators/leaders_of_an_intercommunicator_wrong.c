// The remote leader is a rank of the peer communicator, not of the other half.
// exit: 6
// expect: MPI_Intercomm_create: MPI_ERR_RANK: (rank 0: )?remote_leader is 0, which is.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm half, both;
    int upper = rank >= 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 0, 1, &both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
