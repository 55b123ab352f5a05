// Rank 0 catches an exception and returns 2 from main(), where a destructor finalizes MPI. The
// others wait for its message. What it has printed stands before the report.
// exit: 2
// expect: ^terminated by: my own error$
// expect: rank 0 ended with exit code 2 after MPI_Finalize, and the others wait for it: ranks 1-3
// expect: wait for it: ranks 1-3: MPI_Recv from rank 0, tag 5, MPI_COMM_WORLD, at .*a_destructor_
// expect-not: DEADLOCK
// timeout: 30
#include <mpi.h>

#include <iostream>
#include <stdexcept>

namespace {

struct Environment {
    Environment(int *argc, char ***argv) { MPI_Init(argc, argv); }

    ~Environment() { MPI_Finalize(); }
};

void work(int rank) {
    if (rank == 0)
        throw std::runtime_error("my own error");
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char **argv) {
    Environment environment(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        work(rank);
    } catch (const std::exception &error) {
        std::cout << "terminated by: " << error.what() << "\n";
        return 2;
    }
}
