// Lesson ring: a token travels around all ranks, three times.
//
//   mpicc -g ring.c -o ring && mpiexec --report ring.html -n 8 ./ring
//
// Look at:
//   - Timeline: the arrows make a staircase. One rank works, all others wait in MPI_Recv.
//   - Time in MPI: MPI_Recv takes almost all of it, and almost all of that is waiting.
//   - Waits: each MPI_Recv has a late sender, the MPI_Send of the rank on its left.
//   - Critical path: the work of all ranks, one after the other. More ranks take longer.
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

// Stands for computing. It sleeps, so that more ranks than cores can work at the same time.
static void work(int microseconds) {
    usleep(microseconds);
}

int main(int argc, char **argv) {
    int rank, size, visits = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int lap = 0; lap < 3; ++lap) {
        if (rank > 0) // the token is on its way
            MPI_Recv(&visits, 1, MPI_INT, left, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(2000);
        ++visits;
        MPI_Send(&visits, 1, MPI_INT, right, lap, MPI_COMM_WORLD);
        if (rank == 0) // it comes back
            MPI_Recv(&visits, 1, MPI_INT, left, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("The token has made %d visits to %d ranks.\n", visits, size);
    MPI_Finalize();
}
