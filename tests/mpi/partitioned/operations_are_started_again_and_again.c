// MPI 5.0 section 4.2.2: "The completion of a partitioned send operation indicates that the sender
// is now free to call MPI_START/ MPI_STARTALL to restart the operation and subsequently MPI_PREADY,
// MPI_PREADY_RANGE or MPI_PREADY_LIST.": the receiver is sometimes before, sometimes behind.
// ranks: 2 5
#include "world.h"

enum { partitions = 4, rounds = 200 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int out[partitions], in[partitions];
    MPI_Request requests[2];
    MPI_Psend_init(out, partitions, 1, MPI_INT, right, 2, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[0]);
    MPI_Precv_init(in, 2, partitions / 2, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[1]);
    for (int round = 0; round < rounds; ++round) {
        int receive_first = (round + rank) % 3 == 0;
        if (receive_first)
            CHECK_SUCCESS(MPI_Start(&requests[1]));
        CHECK_SUCCESS(MPI_Start(&requests[0]));
        for (int i = 0; i < partitions; ++i) {
            int partition = (i + round) % partitions;
            out[partition] = 1000 * rank + 4 * round % 1000 + partition;
            CHECK_SUCCESS(MPI_Pready(partition, requests[0]));
            if (i == 1 && !receive_first) // some are ready before it is started
                CHECK_SUCCESS(MPI_Start(&requests[1]));
        }
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < partitions; ++i)
            CHECK_EQUAL(in[i], 1000 * left + 4 * round % 1000 + i);
    }
    CHECK_SUCCESS(MPI_Startall(2, requests));
    CHECK_SUCCESS(MPI_Pready_range(0, partitions - 1, requests[0]));
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return finish();
}
