// MPI 5.0 section 6.12: "All completion calls (e.g., MPI_WAIT) described in Section 3.7.3 are
// supported for nonblocking collective operations.": and whichever a rank waits or tests with, it
// takes part of a large operation's work. The function counts in which ranks it is called; the last
// to begin could do all the work alone.
// ranks: 2 9
// modes: fibers-2
#include "world.h"

enum { count = 1 << 17, attempts_max = 200 };

static int mine[count], result[count];
static int calls; // of this rank's function

static void slow_sum(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    ++calls;
    for (int i = 0; i < *length; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
    for (double begin = MPI_Wtime(); MPI_Wtime() < begin + 2e-4;)
        ;
}

static void complete(int way, MPI_Request *request) {
    MPI_Request both[2] = {MPI_REQUEST_NULL, *request};
    int index = 0, done = 0, completed, indices[2];
    switch (way) {
    case 0:
        CHECK_SUCCESS(MPI_Waitany(2, both, &index, MPI_STATUS_IGNORE));
        CHECK_EQUAL(index, 1);
        break;
    case 1:
        CHECK_SUCCESS(MPI_Waitsome(2, both, &completed, indices, MPI_STATUSES_IGNORE));
        CHECK_EQUAL(completed, 1);
        break;
    case 2:
        while (!done)
            CHECK_SUCCESS(MPI_Test(&both[1], &done, MPI_STATUS_IGNORE));
        break;
    default:
        while (!done)
            CHECK_SUCCESS(MPI_Testany(2, both, &index, &done, MPI_STATUS_IGNORE));
    }
    *request = both[1];
    CHECK(*request == MPI_REQUEST_NULL);
}

// How many ranks' functions have been called.
static int helpers_of(int way, MPI_Op op) {
    MPI_Request request;
    int took_part, all;
    calls = 0;
    if (rank == size - 1) // the others are waiting by then, most of the time
        for (int i = 0; i < size - 1; ++i)
            CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, i, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Iallreduce(mine, result, count, MPI_INT, op, MPI_COMM_WORLD, &request));
    if (rank < size - 1)
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, size - 1, 6, MPI_COMM_WORLD));
    complete(way, &request);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(result[i], i * size + size * (size - 1) / 2);
    took_part = calls > 0;
    CHECK_SUCCESS(MPI_Allreduce(&took_part, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    return all;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Op op;
    CHECK_SUCCESS(MPI_Op_create(slow_sum, 1, &op));
    for (int i = 0; i < count; ++i)
        mine[i] = rank + i;
    for (int way = 0; way < 4; ++way) {
        int attempts = 0;
        while (helpers_of(way, op) < 2) // on a busy machine the other core may come too late
            CHECK(++attempts < attempts_max);
    }
    CHECK_SUCCESS(MPI_Op_free(&op));
    return finish();
}
