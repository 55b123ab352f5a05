// MPI 5.0 section 11.2.4: "The ``freeing'' of MPI_COMM_SELF occurs before any other parts of MPI
// are affected": the delete function of an attribute of MPI_COMM_SELF may still send, receive and
// take part in collective operations.
// ranks: 1 2 6
// expect: ^all [0-9]+ ranks have written their part$
#include "world.h"

static int parts = 0;

static int flush(MPI_Comm comm, int keyval, void *value, void *extra) {
    int in = -1, sum = 0;
    CHECK_SUCCESS(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT,
                               (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQUAL(in, (rank + size - 1) % size);
    CHECK_SUCCESS(MPI_Allreduce(value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (rank == 0)
        printf("all %d ranks have written their part\n", sum);
    ++parts;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int keyval, one = 1;
    start(&argc, &argv);
    CHECK_SUCCESS(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, flush, &keyval, NULL));
    CHECK_SUCCESS(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &one));
    CHECK_SUCCESS(MPI_Comm_free_keyval(&keyval)); // in use still
    finish();
    return parts == 1 ? 0 : 1;
}
