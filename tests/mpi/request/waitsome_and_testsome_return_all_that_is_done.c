// ranks: 2
// MPI 5.0 section 3.7.5: MPI_Waitsome does "not return until at least one of the operations
// associated with active handles in the list have completed" and returns in outcount how many;
// MPI_Testsome returns at once, with outcount zero if none has.
#include "world.h"

int main(int argc, char **argv) {
    enum { kCount = 6 };

    start(&argc, &argv);
    if (rank == 0) {
        MPI_Request requests[kCount];
        MPI_Status statuses[kCount];
        int values[kCount], indices[kCount], outcount, done = 0;
        for (int i = 0; i < kCount; i++)
            CHECK_SUCCESS(MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]));
        CHECK_SUCCESS(MPI_Testsome(kCount, requests, &outcount, indices, statuses));
        CHECK_EQUAL(outcount, 0);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        while (done < kCount) {
            CHECK_SUCCESS(MPI_Waitsome(kCount, requests, &outcount, indices, statuses));
            CHECK(outcount >= 1);
            for (int k = 0; k < outcount; k++) {
                CHECK_EQUAL(statuses[k].MPI_TAG, indices[k]);
                CHECK_EQUAL(values[indices[k]], -indices[k]);
            }
            done += outcount;
        }
        CHECK_EQUAL(done, kCount);
        CHECK_SUCCESS(MPI_Waitsome(kCount, requests, &outcount, indices, statuses));
        CHECK_EQUAL(outcount, MPI_UNDEFINED);
    } else {
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < kCount; i++) {
            int value = -i;
            CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD));
        }
    }
    return finish();
}
