// MPI 5.0 section 6.14, example: "The progress of multiple outstanding nonblocking collective
// operations is completely independent." Section 6.12: "Completion of a particular nonblocking
// collective operation also does not indicate completion of any other posted nonblocking collective
// (or send-receive) operations, whether they are posted before or after the completed operation."
// ranks: 2 5
#include "world.h"

// The first broadcast's root comes late: the second and third complete before it.
int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm second;
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &second));
    int a = -1, b = rank ? -1 : 2, done, token = 0;
    MPI_Request reqs[2];
    if (rank == size - 1) { // the root of the first: begins it after the others have the second
        a = 1;
        CHECK_SUCCESS(MPI_Ibcast(&b, 1, MPI_INT, 0, second, &reqs[1]));
        CHECK_SUCCESS(MPI_Wait(&reqs[1], MPI_STATUS_IGNORE));
        for (int i = 0; i < size - 1; ++i)
            CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, i, 0, second, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Ibcast(&a, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &reqs[0]));
    } else {
        CHECK_SUCCESS(MPI_Ibcast(&a, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &reqs[0]));
        CHECK_SUCCESS(MPI_Ibcast(&b, 1, MPI_INT, 0, second, &reqs[1]));
        CHECK_SUCCESS(MPI_Wait(&reqs[1], MPI_STATUS_IGNORE));
        CHECK_EQUAL(b, 2);
        CHECK_SUCCESS(MPI_Test(&reqs[0], &done, MPI_STATUS_IGNORE));
        CHECK(!done);
        CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, size - 1, 0, second));
    }
    CHECK_SUCCESS(MPI_Wait(&reqs[0], MPI_STATUS_IGNORE));
    CHECK_EQUAL(a, 1);
    // Three on one communicator, waited for in reverse.
    int value[3];
    MPI_Request three[3];
    for (int i = 0; i < 3; ++i) {
        value[i] = rank == i % size ? 10 + i : -1;
        CHECK_SUCCESS(MPI_Ibcast(&value[i], 1, MPI_INT, i % size, second, &three[i]));
    }
    for (int i = 2; i >= 0; --i) {
        CHECK_SUCCESS(MPI_Wait(&three[i], MPI_STATUS_IGNORE));
        CHECK_EQUAL(value[i], 10 + i);
    }
    CHECK_SUCCESS(MPI_Comm_free(&second));
    return finish();
}
