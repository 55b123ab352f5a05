// MPI 5.0 section 6.12: "Similarly to the blocking case, nonblocking collective operations are
// considered to be complete when the local part of the operation is finished, i.e., for the caller,
// the semantics of the operation are guaranteed and all buffers can be safely accessed and
// modified. Completion does not indicate that other MPI processes have completed or even started
// the operation (unless otherwise implied by the description of the operation)."
// ranks: 1 2 3 17 70
#include "world.h"

enum { count = 100 };

static int mine[count], result[count];

// Each rank begins when the one below has its result.
static void after_rank_below(void) {
    if (rank > 0)
        CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void tell_rank_above(void) {
    if (rank + 1 < size)
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, rank + 1, 3, MPI_COMM_WORLD));
}

static void check_and_spoil(int inclusive) {
    int terms = rank + inclusive;
    for (int i = 0; i < count && terms > 0; ++i)
        CHECK_EQUAL(result[i], i * terms + terms * (terms - 1) / 2);
    memset(result, 255, sizeof result);
    memset(mine, 255, sizeof mine);
}

static void complete(MPI_Request *request, int inclusive) {
    CHECK_SUCCESS(MPI_Wait(request, MPI_STATUS_IGNORE));
    check_and_spoil(inclusive);
    tell_rank_above();
}

static void fill(int *values) {
    for (int i = 0; i < count; ++i)
        values[i] = rank + i;
}

static void nonblocking(int inclusive, int in_place) {
    MPI_Request request;
    const void *send = in_place ? MPI_IN_PLACE : mine;
    fill(in_place ? result : mine);
    after_rank_below();
    CHECK_SUCCESS((inclusive ? MPI_Iscan : MPI_Iexscan)(send, result, count, MPI_INT, MPI_SUM,
                                                        MPI_COMM_WORLD, &request));
    complete(&request, inclusive);
}

static void persistent(int inclusive) {
    MPI_Request request;
    CHECK_SUCCESS((inclusive ? MPI_Scan_init : MPI_Exscan_init)(
        mine, result, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    for (int i = 0; i < 3; ++i) {
        fill(mine);
        after_rank_below();
        CHECK_SUCCESS(MPI_Start(&request));
        complete(&request, inclusive);
    }
    CHECK_SUCCESS(MPI_Request_free(&request));
}

// The other way round: all wait for rank 0, but the ranks below the last one not for the last.
static void last_comes_late(void) {
    MPI_Request request;
    fill(mine);
    if (rank == size - 1 && rank > 0)
        CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (rank == 0 && size > 2)
        CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Iscan(mine, result, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    if (rank == 1 && size > 2)
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, 0, 5, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_and_spoil(1);
    if (rank == size - 2)
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, size - 1, 4, MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int inclusive = 0; inclusive < 2; ++inclusive) {
        nonblocking(inclusive, 0);
        nonblocking(inclusive, 1);
        persistent(inclusive);
    }
    last_comes_late();
    return finish();
}
