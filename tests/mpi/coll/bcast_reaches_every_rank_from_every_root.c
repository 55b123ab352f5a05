// MPI 5.0 section 6.4: "MPI_BCAST broadcasts a message from the MPI process with rank root to all
// MPI processes of the group, itself included."
// ranks: 1 2 3 5 17
#include "world.h"

enum { longest = 40000 };

static const int lengths[] = {0, 1, 3, 64, 1000, 10000, longest};

int main(int argc, char **argv) {
    static int buffer[longest + 1];
    start(&argc, &argv);
    for (int root = 0; root < size; ++root)
        for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
            int count = lengths[l];
            for (int i = 0; i <= longest; ++i)
                buffer[i] = rank == root ? root * 100000 + i : -1;
            CHECK_SUCCESS(MPI_Bcast(buffer, count, MPI_INT, root, MPI_COMM_WORLD));
            for (int i = 0; i < count; ++i)
                CHECK_EQUAL(buffer[i], root * 100000 + i);
            if (rank != root)
                CHECK_EQUAL(buffer[count], -1);
        }
    return finish();
}
