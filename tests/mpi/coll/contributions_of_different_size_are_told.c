// MPI 5.0 section 6.9.1: "all processes provide input buffers of the same length, with elements of
// the same type". All ranks get an error, whatever the lengths, and the communicator goes on
// working; the report names a member that differs and both sizes.
// ranks: 2 5 150
// modes: fibers-1 fibers-2 os-threads
// exit: nonzero
// expect: ^all ranks were told$
// expect: rank [0-9]+ has 2000[04] bytes, rank [0-9]+ has 2000[04]
// expect: MPI_Allreduce: MPI_ERR_COUNT: ranks disagree on the size of the data of MPI_Allreduce: rank
#include "check.h"

#include <stdlib.h>

enum { SHORT = 100, LONG = 5000 };

static int rank, size;

static void expect_count_error(int error) {
    int class;
    MPI_Error_class(error, &class);
    CHECK(class == MPI_ERR_COUNT);
}

/* The last rank has one element more. */
static int my_count(int count) {
    return rank == size - 1 ? count + 1 : count;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *send = calloc(LONG + 1, sizeof *send), *receive = calloc(LONG + 1, sizeof *receive);
    int *counts = calloc((size_t)size, sizeof *counts);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int count = SHORT; count <= LONG; count += LONG - SHORT) {
        const int mine = counts[0] = my_count(count);
        expect_count_error(MPI_Allreduce(send, receive, mine, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        expect_count_error(MPI_Reduce(send, receive, mine, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
        expect_count_error(
            MPI_Reduce_scatter(send, receive, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        expect_count_error(MPI_Scan(send, receive, mine, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("all ranks were told");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Allreduce(send, receive, my_count(LONG), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return 0;
}
