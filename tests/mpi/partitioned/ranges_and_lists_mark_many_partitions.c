// MPI 5.0 section 4.2.1: "A call to MPI_PREADY_RANGE has the same effect as calls to MPI_PREADY,
// executed for i=partition_low, ..., partition_high, in some arbitrary order." "A call to
// MPI_PREADY_LIST has the same effect as calls to MPI_PREADY, executed for the partitions specified
// by the elements array_of_partitions[0] ,..., array_of_partitions[count-1] of the
// array_of_partitions, executed in some arbitrary order."
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int values[10], list[4] = {9, 0, 4, 7}, flag;
    MPI_Request request;
    if (rank == 0) {
        for (int i = 0; i < 10; ++i)
            values[i] = i * i;
        MPI_Psend_init(values, 10, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        CHECK_SUCCESS(MPI_Pready_list(4, list, request));
        CHECK_SUCCESS(MPI_Pready_list(0, NULL, request));
        CHECK_SUCCESS(MPI_Pready_range(1, 3, request));
        CHECK_SUCCESS(MPI_Pready_range(8, 8, request));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_SUCCESS(MPI_Pready_range(5, 6, request));
    } else {
        memset(values, -1, sizeof values);
        MPI_Precv_init(values, 10, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 10; ++i) {
            CHECK_SUCCESS(MPI_Parrived(request, i, &flag));
            CHECK_EQUAL(flag, i != 5 && i != 6);
            CHECK_EQUAL(values[i], flag ? i * i : -1);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(values[i], i * i);
    MPI_Request_free(&request);
    return finish();
}
