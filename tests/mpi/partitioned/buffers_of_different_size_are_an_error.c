// MPI 5.0 section 4.2.1: "Send-side and receive-side buffers must be identical in size.": if they
// are not, both sides are told, and nothing is written.
// ranks: 2
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    for (int sent = 1; sent <= 4; ++sent) {
        int values[4] = {rank ? -1 : 1, rank ? -1 : 2, -1, -1};
        MPI_Request request;
        if (rank == 0) {
            MPI_Psend_init(values, sent, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            MPI_Pready_range(0, sent - 1, request);
        } else {
            MPI_Precv_init(values, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
        }
        int class = sent == 2 ? MPI_SUCCESS : sent > 2 ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), class);
        CHECK_EQUAL(values[0], rank == 0 || sent == 2 ? 1 : -1);
        CHECK_SUCCESS(MPI_Request_free(&request));
    }
    return finish();
}
