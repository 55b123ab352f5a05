// MPI 5.0 section 12.6.1: "The error handler MPI_ERRORS_ARE_FATAL is associated with the window
// during its creation."
// ranks: 2
// exit: 48
// expect: rank [01]: MPI_Put: MPI_ERR_RMA_RANGE: target_disp is 9 and target_count 2: bytes 36 to
// expect: bytes 36 to 44 of the window of rank 1, which has 40 \(at .*by_default.c:16 in main
#include "check.h"

int main(int argc, char **argv) {
    int memory[10] = {0};
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(memory, 2, MPI_INT, 1, 9, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Finalize();
    return 0;
}
