// Rank 2 throws what nobody catches.
// exit: 134
// expect: rank 2: uncaught C\+\+ exception.* check\(int\) \(.*uncaught_exception.cc:11\)
// timeout: 30
#include <mpi.h>

#include <stdexcept>

[[gnu::noinline]] static void check(int rank) {
    if (rank == 2)
        throw std::runtime_error("rank 2 does not like this");
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
