// MPI 5.0 section 3.7.5: MPI_TESTANY "tests for completion of either one or none of the operations
// associated with active handles. In the former case, it returns flag = true, returns in index the
// index of this request in the array"; "In the latter case (no operation completed), it returns
// flag = false, returns a value of MPI_UNDEFINED in index".
// ranks: 2
#include "messages.h"

enum { kCount = 7 };

int main(void) {
    start(NULL, NULL);
    int other = 1 - rank;
    if (rank == 0) {
        MPI_Request requests[kCount];
        MPI_Status status;
        int values[kCount], index = 0, flag = 1, seen = 0;
        // Null entries lie between the active ones.
        for (int i = 0; i < kCount; ++i) {
            requests[i] = MPI_REQUEST_NULL;
            if (i % 2)
                CHECK_SUCCESS(
                    MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]));
        }
        CHECK_SUCCESS(MPI_Testany(kCount, requests, &index, &flag, &status));
        CHECK(!flag && index == MPI_UNDEFINED);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        for (int done = 0; done < kCount / 2;) {
            CHECK_SUCCESS(MPI_Testany(kCount, requests, &index, &flag, &status));
            if (!flag) {
                CHECK_EQUAL(index, MPI_UNDEFINED);
                continue;
            }
            CHECK(index % 2 == 1 && !(seen & 1 << index));
            CHECK(requests[index] == MPI_REQUEST_NULL);
            CHECK_EQUAL(status.MPI_TAG, index);
            CHECK_EQUAL(status.MPI_SOURCE, other);
            CHECK_EQUAL(values[index], 100 + index);
            seen |= 1 << index;
            ++done;
        }
        CHECK_SUCCESS(MPI_Testany(kCount, requests, &index, &flag, &status));
        CHECK(flag && index == MPI_UNDEFINED);
    } else {
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 1; i < kCount; i += 2) {
            int value = 100 + i;
            CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, other, i, MPI_COMM_WORLD));
        }
    }
    return finish();
}
