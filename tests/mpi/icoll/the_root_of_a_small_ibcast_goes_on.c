// MPI 5.0 section 6.12: "Similarly to the blocking case, nonblocking collective operations are
// considered to be complete when the local part of the operation is finished, i.e., for the caller,
// the semantics of the operation are guaranteed and all buffers can be safely accessed and
// modified. Completion does not indicate that other MPI processes have completed or even started
// the operation (unless otherwise implied by the description of the operation)."
// ranks: 2 8
#include "world.h"

// The receivers come only after a message that the root sends when it is done, and has changed its
// buffer.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int value[3], blocks[64], token = 0, root = size - 1;
    MPI_Request requests[4];
    if (rank == root) {
        for (int i = 0; i < 3; ++i) {
            value[i] = 40 + i;
            CHECK_SUCCESS(MPI_Ibcast(&value[i], 1, MPI_INT, root, MPI_COMM_WORLD, &requests[i]));
        }
        for (int i = 0; i < size; ++i)
            blocks[i] = 90 + i;
        CHECK_SUCCESS(MPI_Iscatter(blocks, 1, MPI_INT, &token, 1, MPI_INT, root, MPI_COMM_WORLD,
                                   &requests[3]));
        CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        CHECK_EQUAL(token, 90 + root);
        for (int i = 0; i < 3; ++i)
            value[i] = -1;
        for (int i = 0; i < size; ++i)
            blocks[i] = -1;
        for (int i = 0; i < size; ++i)
            if (i != root)
                CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD));
    } else {
        CHECK_SUCCESS(MPI_Recv(&token, 1, MPI_INT, root, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < 3; ++i)
            CHECK_SUCCESS(MPI_Ibcast(&value[i], 1, MPI_INT, root, MPI_COMM_WORLD, &requests[i]));
        CHECK_SUCCESS(MPI_Iscatter(NULL, 0, MPI_DATATYPE_NULL, &token, 1, MPI_INT, root,
                                   MPI_COMM_WORLD, &requests[3]));
        CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 3; ++i)
            CHECK_EQUAL(value[i], 40 + i);
        CHECK_EQUAL(token, 90 + rank);
    }
    return finish();
}
