// They can in rows of 2.
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {0, 2};
    MPI_Dims_create(size, 2, dims);
    MPI_Finalize();
    return 0;
}
