// MPI 5.0 section 6.5: recvbuf, recvcount and recvtype are "significant only at root", section
// 6.2.3 and others: with MPI_IN_PLACE sendcount and sendtype are ignored.
// ranks: 1 2 5 33
#include "check.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int root = size - 1, *all = malloc(sizeof(int) * (size_t)size), mine = rank * 3;
    for (int i = 0; i < size; ++i)
        all[i] = i == rank ? mine : -1;
    if (rank == root)
        MPI_Gather(MPI_IN_PLACE, -5, MPI_DATATYPE_NULL, all, 1, MPI_INT, root, MPI_COMM_WORLD);
    else
        MPI_Gather(&mine, 1, MPI_INT, NULL, -5, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    if (rank == root)
        for (int i = 0; i < size; ++i)
            CHECK_EQUAL(all[i], 3 * i);
    mine = -1;
    if (rank == root)
        MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, -5, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, -5, MPI_DATATYPE_NULL, &mine, 1, MPI_INT, root, MPI_COMM_WORLD);
    if (rank != root)
        CHECK_EQUAL(mine, 3 * rank);
    for (int i = 0; i < size; ++i)
        all[i] = i == rank ? rank * 7 : -1;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(all[i], 7 * i);
    for (int i = 0; i < size; ++i)
        all[i] = 1000 * rank + i;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(all[i], 1000 * i + rank);
    mine = 1;
    MPI_Reduce(rank == root ? MPI_IN_PLACE : &mine, rank == root ? &mine : NULL, 1, MPI_INT,
               MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root)
        CHECK_EQUAL(mine, size);
    free(all);
    MPI_Finalize();
    return 0;
}
