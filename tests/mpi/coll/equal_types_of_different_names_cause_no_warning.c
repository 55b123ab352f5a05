// MPI 5.0 section 6.1: members may use different datatypes of one signature, and the block of one
// member may be described in another way than that of its peer.
// ranks: 1 3 5
// expect-not: warning
// expect: ^all done$
#include "check.h"

#include <mpi.h>

static char from[1 << 20], to[1 << 20];

static void run(MPI_Datatype mine, int count, MPI_Datatype other, int other_count) {
    MPI_Comm comm = MPI_COMM_WORLD;
    int counts[8], places[8];
    MPI_Request request;
    for (int i = 0; i < 8; ++i) {
        counts[i] = other_count;
        places[i] = other_count * i;
    }
    CHECK_SUCCESS(MPI_Bcast(from, count, mine, 0, comm));
    CHECK_SUCCESS(MPI_Gather(from, count, mine, to, other_count, other, 0, comm));
    CHECK_SUCCESS(MPI_Scatter(from, count, mine, to, other_count, other, 0, comm));
    CHECK_SUCCESS(MPI_Allgather(from, count, mine, to, other_count, other, comm));
    CHECK_SUCCESS(MPI_Allgatherv(from, count, mine, to, counts, places, other, comm));
    CHECK_SUCCESS(MPI_Alltoall(from, count, mine, to, other_count, other, comm));
    CHECK_SUCCESS(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_FLOAT, to, other_count, other, comm));
    CHECK_SUCCESS(MPI_Ibcast(from, count, mine, 0, comm, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Iallgather(from, count, mine, to, other_count, other, comm, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype triple, mixed, twice;
    MPI_Type_contiguous(3, MPI_DOUBLE, &triple);
    MPI_Type_commit(&triple);
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, parts, &mixed);
    MPI_Type_contiguous(2, mixed, &twice);
    MPI_Type_commit(&mixed);
    MPI_Type_commit(&twice);
    for (int factor = 1; factor <= 2000; factor *= 2000) {
        if (rank % 2)
            run(MPI_DOUBLE, 3 * factor, triple, factor);
        else
            run(triple, factor, MPI_REAL8, 3 * factor);
        if (rank % 2)
            run(mixed, 2 * factor, twice, factor);
        else
            run(twice, factor, MPI_DOUBLE_INT, 2 * factor);
        if (rank == 0)
            run(MPI_INT, factor, MPI_UNSIGNED, factor);
        else
            run(MPI_INTEGER, factor, MPI_INT32_T, factor);
    }
    int value = 1, sum;
    CHECK_SUCCESS(
        MPI_Allreduce(&value, &sum, 1, rank ? MPI_INT : MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD));
    MPI_Type_free(&triple);
    MPI_Type_free(&mixed);
    MPI_Type_free(&twice);
    if (rank == 0)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
