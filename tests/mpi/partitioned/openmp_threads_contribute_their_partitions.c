// MPI 5.0 section 4.3.1, Example "Equal partitioning on send-side and receive-side using threads.",
// here with half as many partitions at the receiver, and several rounds.
// ranks: 2
// flags: -fopenmp
// env: OMP_NUM_THREADS=4
#include "world.h"

enum { partitions = 64, count = 100, rounds = 10 };

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *message = malloc(sizeof(double) * partitions * count);
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(message, partitions, count, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    else
        MPI_Precv_init(message, partitions / 2, 2 * count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    for (int round = 0; round < rounds; ++round) {
        MPI_Start(&request);
        if (rank == 0) {
#pragma omp parallel for schedule(dynamic) num_threads(4)
            for (int i = 0; i < partitions; ++i) {
                for (int k = 0; k < count; ++k)
                    message[i * count + k] = round + 0.5 * (i * count + k);
                MPI_Pready(i, request);
            }
        }
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < partitions * count; ++i)
            CHECK(message[i] == round + 0.5 * i);
    }
    MPI_Request_free(&request);
    free(message);
    return finish();
}
