// MPI 5.0 section 4.2.2: MPI_Parrived tells that a partition "has been received into the receive
// buffer". Once it has said so of all partitions, nothing is missing: MPI_Test is true at once.
// ranks: 2
#include "messages.h"

enum { kRounds = 1000, kPartitions = 4, kBytesMax = 5000 };

static char buffer[kPartitions * kBytesMax];

// Small partitions are sent, large ones are read by the receiver.
static void run_rounds(int partition_bytes, int parts_of_receive) {
    const int total = kPartitions * partition_bytes;
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(buffer, kPartitions, partition_bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(buffer, parts_of_receive, total / parts_of_receive, MPI_CHAR, 0, 0,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < kRounds; ++round) {
        int flag = 0;
        if (rank == 0)
            fill_bytes(buffer, total, round);
        CHECK_SUCCESS(MPI_Start(&request));
        for (int p = 0; rank == 0 && p < kPartitions; ++p)
            CHECK_SUCCESS(MPI_Pready((p + round) % kPartitions, request));
        if (rank == 1) {
            for (int p = 0; p < parts_of_receive; ++p)
                for (flag = 0; !flag;)
                    CHECK_SUCCESS(MPI_Parrived(request, p, &flag));
            CHECK_SUCCESS(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            CHECK(flag);
            check_bytes(buffer, total, round);
        }
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK_SUCCESS(MPI_Request_free(&request));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    run_rounds(8, kPartitions);
    run_rounds(8, 2);
    run_rounds(kBytesMax, kPartitions);
    return finish();
}
