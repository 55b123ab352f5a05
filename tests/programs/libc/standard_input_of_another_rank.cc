// ranks: 8
// options: --stdin 3
// args: < /etc/passwd
// expect: ^rank 3 has read a line$
// expect-not: rank [0124567] has read
// mpiexec --stdin RANK; iostreams read it like stdio.
#include "check.h"

#include <iostream>
#include <string>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2 == 0)
        std::ios::sync_with_stdio(false);
    MPI_Barrier(MPI_COMM_WORLD);
    std::string line;
    if (std::getline(std::cin, line))
        std::cout << "rank " << rank << " has read a line" << std::endl;
    MPI_Finalize();
    return 0;
}
