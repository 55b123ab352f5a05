// The team's other thread writes to the buffer that the main thread sends.
// ranks: 2
// flags: --check -fopenmp -Wno-unused-variable
// env: THRUM_CHECK=1
// expect: warning: rank 0: store: writes to the send buffer of MPI_Send, which is not complete \(MPI_Send at
// expect: .*wrong\.c:28 in main.*; store at .*wrong\.c:32 in main
#include <mpi.h>

#include <omp.h>
#include <stdatomic.h>

static int data[1000];
static atomic_int is_done;

#define SEND MPI_Send(data, 500, MPI_INT, 1, 0, MPI_COMM_WORLD)
#define RECEIVE MPI_Recv(data, 500, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define FIVE(call) call, call, call, call, call
#define TWENTY(call) FIVE(call), FIVE(call), FIVE(call), FIVE(call)

int main(int argc, char **argv) {
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0) {
                TWENTY(SEND), TWENTY(SEND);
                atomic_store(&is_done, 1);
            } else {
                while (!atomic_load(&is_done))
                    data[0] = 0;
            }
#pragma omp barrier
            if (omp_get_thread_num() == 1)
                data[0] = 1;
        }
    } else {
        for (int i = 0; i < 40; i++)
            RECEIVE;
    }
    MPI_Finalize();
    return 0;
}
