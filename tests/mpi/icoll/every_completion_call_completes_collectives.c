// MPI 5.0 section 6.12: "All completion calls (e.g., MPI_WAIT) described in Section Communication
// Completion are supported for nonblocking collective operations."
// ranks: 1 3 10
#include "world.h"

enum { count = 4 };

static int mine[count], sums[count];
static MPI_Request requests[count];

static void begin(void) {
    for (int i = 0; i < count; ++i) {
        mine[i] = rank + i;
        sums[i] = -1;
        CHECK_SUCCESS(
            MPI_Iallreduce(&mine[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]));
    }
}

static void check(int i) {
    CHECK_EQUAL(sums[i], size * (size - 1) / 2 + i * size);
}

static void check_all(void) {
    for (int i = 0; i < count; ++i) {
        CHECK(requests[i] == MPI_REQUEST_NULL);
        check(i);
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Status statuses[count];
    int index, flag, indices[count], done;
    begin();
    for (int i = 0; i < count; ++i)
        CHECK_SUCCESS(MPI_Wait(&requests[i], &statuses[i]));
    check_all();
    begin();
    for (int i = 0; i < count; ++i)
        for (flag = 0; !flag;)
            CHECK_SUCCESS(MPI_Test(&requests[i], &flag, &statuses[i]));
    check_all();
    begin();
    CHECK_SUCCESS(MPI_Waitall(count, requests, statuses));
    check_all();
    begin();
    for (flag = 0; !flag;)
        CHECK_SUCCESS(MPI_Testall(count, requests, &flag, statuses));
    check_all();
    begin();
    for (int i = 0; i < count; ++i) {
        CHECK_SUCCESS(MPI_Waitany(count, requests, &index, &statuses[0]));
        check(index);
    }
    check_all();
    begin();
    for (int i = 0; i < count; i += flag) {
        CHECK_SUCCESS(MPI_Testany(count, requests, &index, &flag, &statuses[0]));
        if (flag)
            check(index);
    }
    check_all();
    begin();
    for (int i = 0; i < count; i += done) {
        CHECK_SUCCESS(MPI_Waitsome(count, requests, &done, indices, statuses));
        for (int j = 0; j < done; ++j)
            check(indices[j]);
    }
    check_all();
    begin();
    for (int i = 0; i < count; i += done)
        CHECK_SUCCESS(MPI_Testsome(count, requests, &done, indices, statuses));
    check_all();
    begin();
    for (int i = 0; i < count; ++i) { // completes, and leaves the request
        for (flag = 0; !flag;)
            CHECK_SUCCESS(MPI_Request_get_status(requests[i], &flag, &statuses[i]));
        check(i);
        CHECK(requests[i] != MPI_REQUEST_NULL);
        CHECK_SUCCESS(MPI_Wait(&requests[i], &statuses[i]));
    }
    check_all();
    return finish();
}
