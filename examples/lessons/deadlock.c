// Lesson deadlock: all ranks send to the right, then all receive from the left.
//
//   mpicc -g deadlock.c -o deadlock && mpiexec --report deadlock.html -n 4 ./deadlock
//
// Look at:
//   - The report above: all ranks are in MPI_Send, and wait for each other in a cycle.
//   - Findings: the page has the report, too. It is incomplete: the job ended here.
//   - Timeline: the first exchange ends. In the second one, each rank has a call that never ended.
//   - The program: MPI buffered the short message, so MPI_Send returned before anybody received it.
//     It does not buffer the long one. MPI promises neither, and no program may rely on it.
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static void exchange(int bytes) {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *mine = calloc(bytes, 1), *from_left = calloc(bytes, 1);
    MPI_Send(mine, bytes, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Recv(from_left, bytes, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    free(mine);
    free(from_left);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("All ranks have exchanged %d bytes.\n", bytes);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    exchange(100);     // works: the message is short
    exchange(1000000); // waits forever
    MPI_Finalize();
}
