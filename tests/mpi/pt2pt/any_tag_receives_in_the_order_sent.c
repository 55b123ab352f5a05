// MPI 5.0 section 3.5: messages of one sender that match a receive with MPI_ANY_TAG are received in
// the order in which they were sent, whatever their tags.
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    for (int i = 0; i < 200; ++i) {
        int value = i, tag = (i * 7919) % 1000;
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
        } else {
            MPI_Status status;
            value = -1;
            MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            CHECK_EQUAL(value, i);
            CHECK_EQUAL(status.MPI_TAG, tag);
        }
    }
    MPI_Finalize();
    return 0;
}
