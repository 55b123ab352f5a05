// Each process of a job prints its own leaks, with the ranks of the job. A message from another
// process has no place: the report names its sender.
// modes: processes processes-2
// ranks: 4
// expect: warning: [12] requests? made by MPI_Irecv at .*:18 in main .* completed \(ranks? 2(,3, one each)?\)$
// expect: warning: 1 message from rank 3 with tag 5 \(4 bytes\) on MPI_COMM_WORLD .* received \(by rank 0\)$
// expect: warning: 1 message from rank 3 with tag 6 \(4000 bytes\) on a freed communicator .* received \(by rank 0\)$
#include <mpi.h>

int main(int argc, char **argv) {
    static int value, late, many[1000];
    int rank;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&late, 1, MPI_INT, MPI_ANY_SOURCE, 77, comm, &request);
    if (rank == 3) {
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(many, 1000, MPI_INT, 0, 6, comm);
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 3, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
