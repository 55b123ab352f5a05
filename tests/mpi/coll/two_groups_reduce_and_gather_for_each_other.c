// MPI 5.0 section 6.2.3: in an inter-communicator all members of one group contribute to the result
// that the other group, or its root, receives.
// ranks: 2 5 33
#include "check.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, remote_size, local_rank;
    MPI_Comm local, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int low = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 1, &inter);
    MPI_Comm_remote_size(inter, &remote_size);
    MPI_Comm_rank(local, &local_rank);
    int sum = 0, expected = 0, first = low ? size / 2 : 0;
    for (int i = 0; i < remote_size; ++i)
        expected += first + i;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    CHECK_EQUAL(sum, expected);
    int *all = calloc((size_t)remote_size, sizeof(int));
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter);
    for (int i = 0; i < remote_size; ++i)
        CHECK_EQUAL(all[i], first + i);
    int value = rank == 0 ? 77 : -1;
    MPI_Bcast(&value, 1, MPI_INT, !low ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    CHECK_EQUAL(value, !low || rank == 0 ? 77 : -1);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT,
               !low        ? 0
               : rank == 0 ? MPI_ROOT
                           : MPI_PROC_NULL,
               inter);
    if (rank == 0)
        for (int i = 0; i < remote_size; ++i)
            CHECK_EQUAL(all[i], size / 2 + i);
    MPI_Barrier(inter);
    free(all);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
