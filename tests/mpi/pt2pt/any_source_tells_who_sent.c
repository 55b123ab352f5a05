// MPI 5.0 section 3.2.4: "The receiver may specify a wildcard MPI_ANY_SOURCE value for source,
// and/or a wildcard MPI_ANY_TAG value for tag"; section 3.2.5: "status.MPI_SOURCE, status.MPI_TAG,
// and status.MPI_ERROR contain the source, tag, and error code, respectively, of the received
// message."
// ranks: 3 20
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    if (rank > 0) {
        int value = rank * rank;
        MPI_Send(&value, 1, MPI_INT, 0, 1000 + rank, MPI_COMM_WORLD);
    } else {
        int seen[64] = {0};
        for (int i = 1; i < size; ++i) {
            int value = -1;
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK(status.MPI_SOURCE > 0);
            CHECK(status.MPI_SOURCE < size);
            CHECK_EQUAL(status.MPI_TAG, 1000 + status.MPI_SOURCE);
            CHECK_EQUAL(value, status.MPI_SOURCE * status.MPI_SOURCE);
            CHECK_EQUAL(seen[status.MPI_SOURCE]++, 0);
        }
    }
    MPI_Finalize();
    return 0;
}
