// 4 ranks cannot be arranged in rows of 3.
// exit: 12
// expect: rank [0-9]+: MPI_Dims_create: MPI_ERR_DIMS: nnodes is 4, which is not a.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {0, 3};
    MPI_Dims_create(size, 2, dims);
    MPI_Finalize();
    return 0;
}
