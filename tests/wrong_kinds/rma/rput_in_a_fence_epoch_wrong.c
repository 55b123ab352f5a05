// Operations with a request belong into an epoch of MPI_Win_lock.
// ranks: 1
// exit: 50
// expect: rank 0: MPI_Rput: MPI_ERR_RMA_SYNC: no passive target epoch is open:.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory, value = 1;
    MPI_Request request;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
