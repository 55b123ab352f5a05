// MPI 5.0 section 3.7.3: of an active point-to-point request "MPI_REQUEST_FREE will only mark the
// request for freeing and MPI will actually do the freeing stage of the operation associated with
// the request later": the messages arrive all the same.
// ranks: 2 4
#include "messages.h"

enum { kMessages = 30, kBytes = 20000 };

int main(void) {
    start(NULL, NULL);
    static char out[kMessages][kBytes], in[kBytes];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < kMessages; ++i) {
        MPI_Request request;
        fill_bytes(out[i], kBytes, 50 * rank + i);
        // Eager and rendezvous, standard and synchronous, also persistent ones that are active.
        int count = i % 2 ? kBytes : 50;
        if (i % 3 == 0)
            CHECK_SUCCESS(MPI_Isend(out[i], count, MPI_CHAR, right, i, MPI_COMM_WORLD, &request));
        else if (i % 3 == 1)
            CHECK_SUCCESS(MPI_Issend(out[i], count, MPI_CHAR, right, i, MPI_COMM_WORLD, &request));
        else {
            CHECK_SUCCESS(
                MPI_Send_init(out[i], count, MPI_CHAR, right, i, MPI_COMM_WORLD, &request));
            CHECK_SUCCESS(MPI_Start(&request));
        }
        CHECK_SUCCESS(MPI_Request_free(&request));
        CHECK(request == MPI_REQUEST_NULL);
    }
    for (int i = kMessages; i-- > 0;) {
        int count = i % 2 ? kBytes : 50;
        MPI_Status status;
        CHECK_SUCCESS(MPI_Recv(in, kBytes, MPI_CHAR, left, i, MPI_COMM_WORLD, &status));
        CHECK_SUCCESS(MPI_Get_count(&status, MPI_CHAR, &count));
        CHECK_EQUAL(count, i % 2 ? kBytes : 50);
        check_bytes(in, count, 50 * left + i);
    }
    // A reply tells that the send buffers may go.
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    return finish();
}
