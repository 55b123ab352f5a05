// MPI 5.0 section 4.1: "Matching still occurs as if matching happened at the partitioned
// communication initialization functions as noted in the function descriptions.": an operation that
// is freed without a start takes its partner with it.
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int first = 0, second = 0;
    MPI_Request unused, used;
    for (int late = 0; late < 2; ++late) {
        if (rank == late)
            MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 2; ++i) {
            int *value = i ? &second : &first;
            MPI_Request *request = i ? &used : &unused;
            if (rank == 0)
                MPI_Psend_init(value, 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request);
            else
                MPI_Precv_init(value, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request);
            if (i == 0)
                CHECK_SUCCESS(MPI_Request_free(&unused));
        }
        if (rank != late)
            MPI_Barrier(MPI_COMM_WORLD);
        second = rank ? -1 : 42;
        MPI_Start(&used);
        if (rank == 0)
            MPI_Pready(0, used);
        MPI_Wait(&used, MPI_STATUS_IGNORE);
        CHECK_EQUAL(second, 42);
        CHECK_SUCCESS(MPI_Request_free(&used));
    }
    return finish();
}
