// MPI 5.0 section 3.2.6: MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE "inform the implementation that
// the status fields are not to be filled in"; "It is possible for an MPI function to return
// MPI_ERR_IN_STATUS even when MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE has been passed".
// ranks: 1
#include "messages.h"

enum { kCount = 3 };

static MPI_Request requests[kCount];
static int in[kCount][2];

static void communicate(int elements) {
    static const int out[2] = {7, 8};
    for (int i = 0; i < kCount; ++i) {
        CHECK_SUCCESS(MPI_Irecv(in[i], elements, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]));
        CHECK_SUCCESS(MPI_Send(out, 2, MPI_INT, 0, i, MPI_COMM_WORLD));
    }
}

int main(void) {
    start_with_errors_returned();
    int index, flag = 0, outcount, indices[kCount];
    communicate(2);
    CHECK_SUCCESS(MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE));
    CHECK(flag);
    CHECK_SUCCESS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Waitany(kCount, requests, &index, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Testany(kCount, requests, &index, &flag, MPI_STATUS_IGNORE));
    CHECK(flag && index != MPI_UNDEFINED);
    communicate(2);
    CHECK_SUCCESS(MPI_Waitsome(kCount, requests, &outcount, indices, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(outcount, kCount);
    communicate(2);
    CHECK_SUCCESS(MPI_Request_get_status_all(kCount, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag);
    CHECK_SUCCESS(MPI_Testall(kCount, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag && in[kCount - 1][1] == 8);
    communicate(1);
    CHECK_ERROR(MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
    communicate(1);
    CHECK_ERROR(MPI_Waitsome(kCount, requests, &outcount, indices, MPI_STATUSES_IGNORE),
                MPI_ERR_IN_STATUS);
    communicate(1);
    CHECK_ERROR(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK_ERROR(MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
    return finish();
}
