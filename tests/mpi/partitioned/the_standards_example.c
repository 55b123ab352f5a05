// MPI 5.0 section 4.2, Example "Simple partitioned communication example." "in which the
// sender-side and receiver-side partitioning is identical in partition count."
// ranks: 2
#include "world.h"
#define PARTITIONS 8
#define COUNT 5

int main(int argc, char **argv) {
    double message[PARTITIONS * COUNT];
    int partitions = PARTITIONS, source = 0, dest = 1, tag = 1, flag = 0, myrank, i;
    MPI_Request request;
    start(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &myrank);
    if (myrank == 0) {
        MPI_Psend_init(message, partitions, COUNT, MPI_DOUBLE, dest, tag, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (i = 0; i < partitions; ++i) {
            for (int k = 0; k < COUNT; ++k)
                message[i * COUNT + k] = 100 * i + k;
            MPI_Pready(i, request);
        }
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else if (myrank == 1) {
        MPI_Precv_init(message, partitions, COUNT, MPI_DOUBLE, source, tag, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        for (i = 0; i < PARTITIONS * COUNT; ++i)
            CHECK(message[i] == 100 * (i / COUNT) + i % COUNT);
    }
    return finish();
}
