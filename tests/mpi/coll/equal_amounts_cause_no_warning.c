// MPI 5.0 section 6.1: amounts must be equal, not counts and datatypes: "Distinct type maps between
// sender and receiver are allowed".
// ranks: 2 4
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect-not: warning
// expect-not: sends
#include "world.h"

static int from[1 << 16], to[1 << 16];

int main(int argc, char **argv) {
    start(&argc, &argv);
    const MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype pair, gaps;
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_SUCCESS(MPI_Type_vector(2, 1, 3, MPI_INT, &gaps));
    CHECK_SUCCESS(MPI_Type_commit(&pair));
    CHECK_SUCCESS(MPI_Type_commit(&gaps));
    for (int count = 0; count <= 4000; count = 4 * count + 1) {
        const MPI_Datatype type = rank % 2 ? pair : gaps;
        int counts[4], twice[4], places[4];
        for (int i = 0; i < size; ++i) {
            counts[i] = i % 2 ? count : 0;
            twice[i] = 2 * counts[i];
            places[i] = i * 2 * count;
        }
        if (rank == 0)
            CHECK_SUCCESS(MPI_Bcast(from, 2 * count, MPI_INT, 0, comm));
        else
            CHECK_SUCCESS(MPI_Bcast(to, count, type, 0, comm));
        CHECK_SUCCESS(MPI_Gather(from, count, type, to, 2 * count, MPI_INT, 0, comm));
        CHECK_SUCCESS(MPI_Scatter(from, 2 * count, MPI_INT, to, count, type, 0, comm));
        CHECK_SUCCESS(MPI_Gatherv(from, counts[rank], type, to, twice, places, MPI_INT, 0, comm));
        CHECK_SUCCESS(MPI_Scatterv(from, twice, places, MPI_INT, to, counts[rank], type, 0, comm));
        CHECK_SUCCESS(MPI_Allgatherv(from, counts[rank], pair, to, twice, places, MPI_INT, comm));
        CHECK_SUCCESS(MPI_Alltoall(from, count, pair, to, 2 * count, MPI_INT, comm));
        CHECK_SUCCESS(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, to, count, pair, comm));
        MPI_Request requests[2];
        CHECK_SUCCESS(
            MPI_Igather(from, count, pair, to, 2 * count, MPI_INT, 1, comm, &requests[0]));
        CHECK_SUCCESS(
            MPI_Iscatter(from, count, pair, to + 40000, 2 * count, MPI_INT, 1, comm, &requests[1]));
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    CHECK_SUCCESS(MPI_Type_free(&pair));
    CHECK_SUCCESS(MPI_Type_free(&gaps));
    return finish();
}
