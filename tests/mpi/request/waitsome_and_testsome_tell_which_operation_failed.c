// MPI 5.0 section 3.7.5: MPI_WAITSOME: "The call will return the error code MPI_ERR_IN_STATUS and
// the error field of each status returned will be set to indicate success or to indicate the
// specific error that occurred."
// ranks: 2
#include "messages.h"

enum { kCount = 4 };

int main(void) {
    start_with_errors_returned();
    int data[3] = {1, 2, 3};
    for (int form = 0; form < 3; ++form) {
        if (rank == 1) {
            for (int i = 0; i < kCount; ++i)
                CHECK_SUCCESS(MPI_Send(data, 3, MPI_INT, 0, i, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
            continue;
        }
        MPI_Request requests[kCount];
        MPI_Status statuses[kCount];
        int room[kCount][3], indices[kCount], outcount = 0, flag = 0;
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // all messages are there
        for (int i = 0; i < kCount; ++i)            // 1 and 3 are too short for theirs
            CHECK_SUCCESS(
                MPI_Irecv(room[i], i % 2 ? 1 : 3, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]));
        if (form == 0)
            CHECK_ERROR(MPI_Waitsome(kCount, requests, &outcount, indices, statuses),
                        MPI_ERR_IN_STATUS);
        else if (form == 1)
            CHECK_ERROR(MPI_Testsome(kCount, requests, &outcount, indices, statuses),
                        MPI_ERR_IN_STATUS);
        else
            CHECK_ERROR(MPI_Testall(kCount, requests, &flag, statuses), MPI_ERR_IN_STATUS);
        CHECK(form == 2 ? flag : outcount == kCount);
        for (int k = 0; k < kCount; ++k) {
            int i = form == 2 ? k : indices[k];
            CHECK_ERROR(statuses[k].MPI_ERROR, i % 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
            CHECK_EQUAL(statuses[k].MPI_TAG, i);
            CHECK(requests[i] == MPI_REQUEST_NULL);
            if (i % 2 == 0)
                CHECK_EQUAL(room[i][2], 3);
        }
    }
    return finish();
}
