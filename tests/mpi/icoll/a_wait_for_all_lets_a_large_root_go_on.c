// MPI 5.0 section 6.12: "It is valid to mix different request types (i.e., any combination of
// collective requests, I/O requests, generalized requests, or point-to-point requests) in functions
// that enable multiple completions (e.g., MPI_WAITALL)." The root's large broadcast completes
// although its receivers wait for something else, too, which the root does afterwards.
// ranks: 2 6
#include "world.h"

enum { count = 100000 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *data = malloc(sizeof(int) * count), token = 1;
    for (int round = 0; round < 10; ++round) {
        MPI_Request requests[2];
        for (int i = 0; i < count; ++i)
            data[i] = rank == 0 ? round + i : -1;
        CHECK_SUCCESS(MPI_Ibcast(data, count, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]));
        if (rank == 0) {
            CHECK_SUCCESS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
            for (int i = 1; i < size; ++i)
                CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD));
        } else {
            CHECK_SUCCESS(MPI_Irecv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]));
            CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        }
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(data[i], round + i);
    }
    free(data);
    return finish();
}
