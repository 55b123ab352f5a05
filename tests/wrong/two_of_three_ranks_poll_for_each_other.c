// Two ranks poll for two messages of the other one, while a third rank sleeps.
// ranks: 3
// exit: 86
// expect: LIVELOCK: 2 of 3 ranks wait for each other, by polls, and can never go on: ranks 0,1$
// expect: again and again, with 1 other poll$
// expect: rank 2: outside MPI
// modes: fibers-2 os-threads processes
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value, flag = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        sleep(100);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
        while (!flag) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            if (!flag)
                MPI_Iprobe(1 - rank, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
