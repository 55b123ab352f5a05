// MPI 5.0 section 7.4.2: "Within each subgroup, the MPI processes are ranked in the order defined
// by the value of the argument key, with ties broken according to their rank in the old group."
// ranks: 1 2 7 24
#include "world.h"

static int key_of(int old_rank) {
    return -(old_rank / 4) * 10;
} // negative, with ties of up to four

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm comm;
    int colour = rank % 2, expected = 0, new_rank, new_size, members = 0;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, colour, key_of(rank), &comm));
    for (int i = 0; i < size; ++i)
        if (i % 2 == colour) {
            ++members;
            expected += key_of(i) < key_of(rank) || (key_of(i) == key_of(rank) && i < rank);
        }
    MPI_Comm_rank(comm, &new_rank);
    MPI_Comm_size(comm, &new_size);
    CHECK_EQUAL(new_rank, expected);
    CHECK_EQUAL(new_size, members);
    MPI_Comm_free(&comm);
    return finish();
}
