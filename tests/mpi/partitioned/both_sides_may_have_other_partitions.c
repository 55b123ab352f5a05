// MPI 5.0 section 4.2: "The partitioned communication initialization includes inputs on the number
// of user-visible partitions on the send-side and receive-side, which may differ."
// ranks: 2
#include "messages.h"

// 120 bytes in every number of partitions that divides them, in both datatypes and orders.
int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int divisors[] = {1, 2, 3, 5, 8, 24, 40, 120};
    char buffer[120];
    for (int s = 0; s < 8; ++s)
        for (int r = 0; r < 8; ++r) {
            int partitions = divisors[rank ? r : s], seed = 10 * s + r;
            MPI_Request request;
            if (rank == 0) {
                fill_bytes(buffer, 120, seed);
                CHECK_SUCCESS(MPI_Psend_init(buffer, partitions, 120 / partitions, MPI_CHAR, 1, 3,
                                             MPI_COMM_WORLD, MPI_INFO_NULL, &request));
                CHECK_SUCCESS(MPI_Start(&request));
                for (int i = 0; i < partitions; ++i) // a permutation: 7 divides none of the counts
                    CHECK_SUCCESS(MPI_Pready((7 * i + 3) % partitions, request));
                CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            } else {
                MPI_Status status;
                int count;
                memset(buffer, 0xff, 120);
                CHECK_SUCCESS(MPI_Precv_init(buffer, partitions, 120 / partitions, MPI_CHAR, 0, 3,
                                             MPI_COMM_WORLD, MPI_INFO_NULL, &request));
                CHECK_SUCCESS(MPI_Start(&request));
                CHECK_SUCCESS(MPI_Wait(&request, &status));
                CHECK_EQUAL(status.MPI_SOURCE, 0);
                CHECK_EQUAL(status.MPI_TAG, 3);
                MPI_Get_count(&status, MPI_CHAR, &count);
                CHECK_EQUAL(count, 120);
                check_bytes(buffer, 120, seed);
            }
            CHECK_SUCCESS(MPI_Request_free(&request));
        }
    return finish();
}
