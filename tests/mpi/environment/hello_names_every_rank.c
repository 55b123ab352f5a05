// MPI 5.0 section 7.4.1: MPI_COMM_RANK "gives the rank of the MPI process in the particular
// communicator's group."
// ranks: 1 2 4 100
// expect: ^rank 0 of [0-9]+$
#include "check.h"

int main(int argc, char **argv) {
    CHECK_SUCCESS(MPI_Init(&argc, &argv));
    int rank = -1, size = -1;
    CHECK_SUCCESS(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK_SUCCESS(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(rank >= 0);
    CHECK(rank < size);
    printf("rank %d of %d\n", rank, size);
    CHECK_SUCCESS(MPI_Finalize());
    return 0;
}
