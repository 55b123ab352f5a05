// MPI 5.0 section 3.2.3: "A communicator specifies the communication context ... messages are
// always received within the context they were sent, and messages sent in different contexts do not
// interfere."
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    MPI_Comm copy;
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    int world = 1, other = 2;
    if (rank == 0) {
        MPI_Send(&world, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&other, 1, MPI_INT, 1, 0, copy);
    } else {
        int got = -1;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
        CHECK_EQUAL(got, other);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(got, world);
    }
    MPI_Comm_free(&copy);
    CHECK(copy == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}
