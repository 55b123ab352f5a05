// The eager limit may be larger than any buffer that the library keeps for reuse (64 KiB):
// messages wait in pooled memory, or in memory of their own, until they are received, in any order.
// ranks: 2
// env: THRUM_EAGER_LIMIT=1M
#include "world.h"

enum { kLengths = 24, kRounds = 5 };

static int length_of(int i) {
    static const int odd[3] = {-1, 0, 1};
    return (256 << (i / 3 * 12 / 8)) + odd[i % 3]; // 255 bytes to 512 KiB and one
}

static char *message(int length, int seed) {
    char *bytes = malloc((size_t)length);
    CHECK(bytes != NULL);
    for (int i = 0; i < length; ++i)
        bytes[i] = (char)(i * 7 + i / 251 + seed);
    return bytes;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int round = 0; round < kRounds; ++round) {
        if (rank == 0)
            for (int i = 0; i < kLengths; ++i) {
                char *bytes = message(length_of(i), round + i);
                CHECK_SUCCESS(MPI_Send(bytes, length_of(i), MPI_CHAR, 1, i, MPI_COMM_WORLD));
                free(bytes);
            }
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // nothing was received: all was eager
        if (rank == 1)
            for (int k = 0; k < kLengths; ++k) {
                int i = round % 2 ? kLengths - 1 - k : k;
                char *expected = message(length_of(i), round + i);
                char *bytes = calloc((size_t)length_of(i), 1);
                CHECK_SUCCESS(MPI_Recv(bytes, length_of(i), MPI_CHAR, 0, i, MPI_COMM_WORLD,
                                       MPI_STATUS_IGNORE));
                CHECK_EQUAL(memcmp(bytes, expected, (size_t)length_of(i)), 0);
                free(bytes);
                free(expected);
            }
    }
    return finish();
}
