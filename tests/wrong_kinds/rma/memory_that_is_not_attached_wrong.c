// The memory is not attached to the dynamic window.
// ranks: 1
// exit: 48
// expect: rank 0: MPI_Put: MPI_ERR_RMA_RANGE: bytes 0x[0-9a-f]+ to 0x[0-9a-f]+ of.*wrong\.c:16
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    static int memory[4];
    int value = 1;
    MPI_Aint address;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Get_address(memory, &address);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(&value, 1, MPI_INT, 0, address, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
