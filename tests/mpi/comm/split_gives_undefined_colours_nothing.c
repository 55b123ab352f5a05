// MPI 5.0 section 7.4.2: "An MPI process may supply the color value MPI_UNDEFINED, in which case
// newcomm returns MPI_COMM_NULL."
// ranks: 1 2 7
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm comm;
    CHECK_SUCCESS(
        MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 1 ? MPI_UNDEFINED : 1 << 30, 0, &comm));
    CHECK_EQUAL(comm == MPI_COMM_NULL, rank % 3 == 1);
    if (comm != MPI_COMM_NULL) {
        int new_size;
        MPI_Comm_size(comm, &new_size);
        CHECK_EQUAL(new_size, size - (size + 1) / 3);
        MPI_Comm_free(&comm);
    }
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm)); // at all ranks
    CHECK(comm == MPI_COMM_NULL);
    return finish();
}
