// Nobody catches what a thread of rank 3 throws. The others wait in MPI_Wait.
// exit: 134
// expect: what\(\):  my own error
// expect: uncaught C\+\+ exception.* \(.*a_thread_throws_while_others_wait.cc:[0-9]+\)
// expect-not: DEADLOCK
// timeout: 30
#include <mpi.h>

#include <stdexcept>
#include <thread>

int main(int argc, char **argv) {
    int rank, level, value;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 3)
        std::thread([] { throw std::runtime_error("my own error"); }).join();
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
