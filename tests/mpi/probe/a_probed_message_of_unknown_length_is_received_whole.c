// ranks: 3
// MPI 5.0 section 3.8.1: MPI_Probe and MPI_Iprobe let the receiver find the length of a message
// before it receives it; a receive with the source and tag of the status gets that message.
#include "world.h"

int main(int argc, char **argv) {
    enum { kMessages = 20 };

    start(&argc, &argv);
    if (rank == 0) {
        int received = 0;
        while (received < kMessages * (size - 1)) {
            MPI_Status status;
            int count = -1, flag = 1;
            if (received % 2)
                CHECK_SUCCESS(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
            else
                CHECK_SUCCESS(
                    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
            if (!flag)
                continue;
            CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
            CHECK_EQUAL(count, status.MPI_TAG * 300 + status.MPI_SOURCE);
            int *data = malloc((size_t)count * sizeof *data);
            CHECK_SUCCESS(MPI_Recv(data, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
                                   MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(data[0] == status.MPI_SOURCE && data[count - 1] == status.MPI_SOURCE);
            free(data);
            received++;
        }
    } else {
        for (int tag = 0; tag < kMessages; tag++) {
            int count = tag * 300 + rank;
            int *data = malloc((size_t)count * sizeof *data);
            for (int i = 0; i < count; i++)
                data[i] = rank;
            CHECK_SUCCESS(MPI_Send(data, count, MPI_INT, 0, tag, MPI_COMM_WORLD));
            free(data);
        }
    }
    return finish();
}
