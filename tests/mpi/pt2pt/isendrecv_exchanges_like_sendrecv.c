// MPI 5.0 section 3.7.2: MPI_ISENDRECV and MPI_ISENDRECV_REPLACE are the nonblocking variants of
// the send-receive operations; one request stands for both halves.
// ranks: 1 2 3
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    static char out[100000], in[100000];
    static const int counts[] = {3, 3000, 100000};
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 3; ++i) {
        MPI_Status status;
        MPI_Request request;
        fill_bytes(out, counts[i], rank);
        CHECK_SUCCESS(MPI_Isendrecv(out, counts[i], MPI_CHAR, right, 1, in, counts[i], MPI_CHAR,
                                    left, 1, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, &status));
        CHECK_EQUAL(status.MPI_SOURCE, left);
        check_bytes(in, counts[i], left);
        CHECK_SUCCESS(MPI_Isendrecv_replace(out, counts[i], MPI_CHAR, right, 2, left, 2,
                                            MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, &status));
        CHECK_EQUAL(status.MPI_TAG, 2);
        check_bytes(out, counts[i], left);
    }
    MPI_Finalize();
    return 0;
}
