// ranks: 4
// expect: ^cout of rank 3, line 49 end$
// expect: ^cerr of rank 2$
// expect: ^unsynchronised 1 19 end$
// expect-not: end.+end
// std::cout and std::cerr lead to the rank's stdout and stderr, synchronised with stdio or not.
#include "check.h"

#include <iostream>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        std::ios::sync_with_stdio(false);
    for (int i = 0; i < 50; ++i)
        std::cout << "cout of rank " << rank << ", line " << i << " end\n";
    std::cerr << "cerr of rank " << rank << std::endl;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 0; i < 20; ++i)
            std::cout << "unsynchronised " << rank << " " << i << " end" << std::endl;
    MPI_Finalize();
    return 0;
}
