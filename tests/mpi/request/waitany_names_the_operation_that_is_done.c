// ranks: 2
// MPI 5.0 section 3.7.5: MPI_Waitany does "not return until one of the operations associated with
// the active requests in the array has completed"; with no active request it returns index
// MPI_UNDEFINED.
#include "world.h"

int main(int argc, char **argv) {
    enum { kCount = 8 };

    start(&argc, &argv);
    if (rank == 0) {
        MPI_Request requests[kCount];
        int values[kCount], seen[kCount] = {0}, index;
        MPI_Status status;
        for (int i = 0; i < kCount; i++)
            CHECK_SUCCESS(MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]));
        for (int i = 0; i < kCount; i++) {
            CHECK_SUCCESS(MPI_Waitany(kCount, requests, &index, &status));
            CHECK(index >= 0 && index < kCount && !seen[index]);
            CHECK_EQUAL(status.MPI_TAG, index);
            CHECK_EQUAL(values[index], 100 + index);
            CHECK(requests[index] == MPI_REQUEST_NULL);
            seen[index] = 1;
        }
        CHECK_SUCCESS(MPI_Waitany(kCount, requests, &index, &status));
        CHECK_EQUAL(index, MPI_UNDEFINED);
    } else {
        for (int i = kCount; i-- > 0;) {
            int value = 100 + i;
            CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD));
        }
    }
    return finish();
}
