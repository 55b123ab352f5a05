// A rank frees what it sends before the send is complete.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank 0: free: frees the send buffer of MPI_Isend, which is not complete
// expect: MPI_Isend at .*_wrong\.c:17 in main; free at .*_wrong\.c:18 in main
#include <mpi.h>

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, *memory = calloc(100, sizeof(int));
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(memory, 100, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        free(memory);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(memory, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
