// After messages and collective operations through libfabric a process that waits for others, or
// sleeps, leaves its core to them.
//
// ranks: 2 5
// modes: processes processes-2
// env: THRUM_FABRIC=tcp
#include "messages.h"

#include <time.h>

enum { rounds = 50, wait_s = 2 };

static double cpu_seconds(void) {
    struct timespec time;
    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void pass_round(int value) {
    int got = -1, sum = 0;
    CHECK_SUCCESS(MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT,
                               (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQUAL(got, value);
    CHECK_SUCCESS(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQUAL(sum, size * value);
}

int main(void) {
    start_with_errors_returned();
    for (int round = 0; round < rounds; ++round)
        pass_round(round);
    const double before = cpu_seconds();
    if (rank == 0)
        nanosleep(&(struct timespec){.tv_sec = wait_s}, NULL);
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    const double used = cpu_seconds() - before;
    if (used > wait_s / 4.0)
        fprintf(stderr, "rank %d: %.2f s of CPU time in %d s\n", rank, used, wait_s);
    CHECK(used <= wait_s / 4.0);
    return finish();
}
