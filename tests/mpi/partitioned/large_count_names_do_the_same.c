// MPI 5.0 section 4.2.1, with its erratum: the count of MPI_Psend_init and MPI_Precv_init is an
// int, that of MPI_Psend_init_c and MPI_Precv_init_c an MPI_Count.
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int values[6];
    MPI_Count three = 3;
    MPI_Request request;
    for (int i = 0; i < 6; ++i)
        values[i] = rank ? -1 : i;
    if (rank == 0) {
        CHECK_SUCCESS(MPI_Psend_init_c(values, 2, three, MPI_INT, 1, 0, MPI_COMM_WORLD,
                                       MPI_INFO_NULL, &request));
        MPI_Start(&request);
        MPI_Pready_range(0, 1, request);
    } else {
        CHECK_SUCCESS(
            MPI_Precv_init_c(values, 3, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 6; ++i)
        CHECK_EQUAL(values[i], i);
    MPI_Request_free(&request);
    return finish();
}
