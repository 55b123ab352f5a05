// ranks: 1 8
// options: --stdin all
// args: < /etc/passwd
// mpiexec --stdin all: every rank reads the whole of the standard input, in its own time.
#include "check.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char expected[64 << 10], seen[64 << 10];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = fopen("/etc/passwd", "r");
    CHECK(file != NULL);
    size_t size_bytes = fread(expected, 1, sizeof expected, file);
    fclose(file);
    CHECK(size_bytes > 100);
    struct pollfd polled = {0, POLLIN, 0};
    CHECK_EQUAL(poll(&polled, 1, -1), 1);
    CHECK_EQUAL(getchar(), expected[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    size_t rest_bytes = fread(seen, 1, sizeof seen, stdin);
    CHECK_EQUAL(rest_bytes, size_bytes - 1);
    CHECK(!memcmp(seen, expected + 1, rest_bytes));
    CHECK(feof(stdin));
    CHECK_EQUAL(lseek(0, 0, SEEK_SET), 0);
    CHECK_EQUAL(system("cmp - /etc/passwd"), 0); // and their children
    MPI_Finalize();
    return 0;
}
