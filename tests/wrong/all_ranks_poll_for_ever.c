// Two ranks poll for messages that nobody sends, and one waits for another one: after ten seconds,
// or more on a busy machine, one note says so. The job goes on until its time limit.
// ranks: 3
// exit: 124
// expect: note: nobody has got a message for 10 s: [12] of 3 ranks poll in vain, [12] wait$
// expect: rank 2: MPI_Recv from rank 0, tag 1
// timeout: 30
// modes: fibers-2
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value, flag = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        while (!flag)
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
