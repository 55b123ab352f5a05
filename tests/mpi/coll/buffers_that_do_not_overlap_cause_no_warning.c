// MPI 5.0 section 2.3 forbids aliased arguments. Buffers that begin at one address are right if one
// of them has no data or is not significant at this rank, or if the data lie beside each other.
// ranks: 2 4
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect-not: warning
// expect-not: overlap
#include "world.h"

static int b[64];

static void without_data(void) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int root = size - 1;
    int none[4] = {0}, places[4] = {0};
    CHECK_SUCCESS(MPI_Allreduce(b, b, 0, MPI_INT, MPI_SUM, comm));
    CHECK_SUCCESS(MPI_Allgather(b, 0, MPI_INT, b, 0, MPI_INT, comm));
    CHECK_SUCCESS(MPI_Alltoallv(b, none, places, MPI_INT, b, none, places, MPI_INT, comm));
    CHECK_SUCCESS(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm));
    // Ranks other than the root pass one buffer twice.
    int all[64], *twice = rank == root ? all : b;
    CHECK_SUCCESS(MPI_Gather(b, 1, MPI_INT, twice, 1, MPI_INT, root, comm));
    CHECK_SUCCESS(MPI_Scatter(twice, 1, MPI_INT, b, 1, MPI_INT, root, comm));
    CHECK_SUCCESS(MPI_Reduce(b, twice, 1, MPI_INT, MPI_SUM, root, comm));
    // Nothing is received at rank 0 of MPI_Exscan.
    CHECK_SUCCESS(MPI_Exscan(b, rank == 0 ? b : all, 1, MPI_INT, MPI_SUM, comm));
    // This rank receives nothing, or sends nothing.
    int counts[4] = {0};
    counts[root] = 3;
    CHECK_SUCCESS(MPI_Reduce_scatter(rank == root ? all : b, b, counts, MPI_INT, MPI_SUM, comm));
    CHECK_SUCCESS(MPI_Allgatherv(b, rank == root ? 3 : 0, MPI_INT, rank == root ? all : b, counts,
                                 places, MPI_INT, comm));
}

static void in_place(void) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_SUCCESS(MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, comm));
    CHECK_SUCCESS(MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, comm));
    CHECK_SUCCESS(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, comm));
    CHECK_SUCCESS(MPI_Scan(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, comm));
    CHECK_SUCCESS(
        MPI_Scatter(b, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : b + 8, 1, MPI_INT, 0, comm));
}

// Displacements, or gaps in the datatypes, keep the data apart.
static void beside_each_other(void) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    int ones[4] = {1, 1, 1, 1}, from[4], to[4];
    for (int i = 0; i < 4; ++i) {
        from[i] = i;
        to[i] = 8 + i;
        b[i] = 10 * rank + i;
    }
    CHECK_SUCCESS(MPI_Alltoallv(b, ones, from, MPI_INT, b, ones, to, MPI_INT, comm));
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(b[8 + i], 10 * i + rank);
    CHECK_SUCCESS(MPI_Allgatherv(b, 1, MPI_INT, b, ones, to, MPI_INT, comm));
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(b[8 + i], 10 * i);
    MPI_Datatype even, odd;
    const int one = 1;
    const MPI_Aint behind = sizeof(int);
    MPI_Datatype second;
    CHECK_SUCCESS(MPI_Type_create_hindexed(1, &one, &behind, MPI_INT, &second));
    CHECK_SUCCESS(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &even));
    CHECK_SUCCESS(MPI_Type_create_resized(second, 0, 2 * sizeof(int), &odd));
    CHECK_SUCCESS(MPI_Type_commit(&even));
    CHECK_SUCCESS(MPI_Type_commit(&odd));
    for (int i = 0; i < size; ++i)
        b[2 * i] = 10 * rank + i;
    CHECK_SUCCESS(MPI_Alltoall(b, 1, even, b, 1, odd, comm));
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(b[2 * i + 1], 10 * i + rank);
    CHECK_SUCCESS(MPI_Type_free(&second));
    CHECK_SUCCESS(MPI_Type_free(&even));
    CHECK_SUCCESS(MPI_Type_free(&odd));
}

// MPI_BOTTOM is the buffer of both sides, with absolute addresses.
static void from_bottom(void) {
    static int sent[4], received[4];
    const int ones[4] = {1, 1, 1, 1}, zeros[4] = {0};
    MPI_Datatype from[4], to[4];
    for (int i = 0; i < size; ++i) {
        MPI_Aint address;
        sent[i] = 10 * rank + i;
        MPI_Get_address(&sent[i], &address);
        CHECK_SUCCESS(MPI_Type_create_hindexed(1, ones, &address, MPI_INT, &from[i]));
        MPI_Get_address(&received[i], &address);
        CHECK_SUCCESS(MPI_Type_create_hindexed(1, ones, &address, MPI_INT, &to[i]));
        CHECK_SUCCESS(MPI_Type_commit(&from[i]));
        CHECK_SUCCESS(MPI_Type_commit(&to[i]));
    }
    CHECK_SUCCESS(
        MPI_Alltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, MPI_COMM_WORLD));
    for (int i = 0; i < size; ++i) {
        CHECK_EQUAL(received[i], 10 * i + rank);
        CHECK_SUCCESS(MPI_Type_free(&from[i]));
        CHECK_SUCCESS(MPI_Type_free(&to[i]));
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    without_data();
    in_place();
    beside_each_other();
    from_bottom();
    return finish();
}
