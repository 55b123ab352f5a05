// MPI 5.0 section 3.2.7: MPI_SENDRECV_REPLACE: "The same buffer is used both for the send and for
// the receive, so that the message sent is replaced by the message received."
// ranks: 2 4
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    static char data[300000];
    static const int counts[] = {1, 4000, 300000};
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 3; ++i) {
        MPI_Status status;
        fill_bytes(data, counts[i], rank);
        CHECK_SUCCESS(MPI_Sendrecv_replace(data, counts[i], MPI_CHAR, right, 7, left, 7,
                                           MPI_COMM_WORLD, &status));
        CHECK_EQUAL(status.MPI_SOURCE, left);
        check_bytes(data, counts[i], left);
    }
    // A strided buffer: the gaps stay.
    MPI_Datatype every_second;
    int cells[8];
    for (int i = 0; i < 8; ++i)
        cells[i] = i % 2 ? -1 : rank;
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Sendrecv_replace(cells, 1, every_second, right, 8, left, 8, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; ++i)
        CHECK_EQUAL(cells[i], i % 2 ? -1 : left);
    MPI_Type_free(&every_second);
    MPI_Finalize();
    return 0;
}
