// A large message for a receive buffer with gaps is read and unpacked in pieces, of which the last
// is shorter, and writes nothing into the gaps.
// ranks: 2
#include "world.h"

enum { kIntsMax = 900001 };

static int data[2 * kIntsMax];

int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int counts[] = {20000, 262144, 262145, 700001, kIntsMax};
    for (unsigned n = 0; n < sizeof counts / sizeof *counts; ++n) {
        int count = counts[n];
        MPI_Datatype every_second;
        CHECK_SUCCESS(MPI_Type_vector(count, 1, 2, MPI_INT, &every_second));
        CHECK_SUCCESS(MPI_Type_commit(&every_second));
        for (int i = 0; i < 2 * count; ++i)
            data[i] = rank == 0 ? i * 3 + (int)n : -1;
        if (rank == 0) {
            CHECK_SUCCESS(MPI_Send(data, count, MPI_INT, 1, 0, MPI_COMM_WORLD));
        } else {
            CHECK_SUCCESS(MPI_Recv(data, 1, every_second, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (int i = 0; i < 2 * count; ++i)
                CHECK_EQUAL(data[i], i % 2 ? -1 : i / 2 * 3 + (int)n);
        }
        CHECK_SUCCESS(MPI_Type_free(&every_second));
    }
    return finish();
}
