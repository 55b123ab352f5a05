// ranks: 8
// expect: ^rank 4 still prints$
// expect: ^rank 6 still prints$
// expect-not: gone
// fclose(stdout), close(1), setvbuf, setlinebuf and fflush(NULL) concern the calling rank's
// streams, also while another rank holds the lock of its stdout over a barrier.
#include "check.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    static char buffer[4096];
    struct stat status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        flockfile(stdout);
    if (rank == 2)
        CHECK_EQUAL(setvbuf(stdout, buffer, _IOFBF, sizeof buffer), 0);
    if (rank == 3)
        CHECK_EQUAL(fclose(stdout), 0);
    if (rank == 5)
        CHECK_EQUAL(close(STDOUT_FILENO), 0);
    if (rank == 6)
        setlinebuf(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0)
        printf("rank %d still prints\n", rank);
    CHECK_EQUAL(fflush(NULL), 0);
    if (rank == 3 || rank == 5) {
        CHECK_EQUAL(write(STDOUT_FILENO, "gone\n", 5), -1);
        CHECK_EQUAL(errno, EBADF);
        CHECK_EQUAL(fstat(STDOUT_FILENO, &status), -1);
        CHECK_EQUAL(dup(STDOUT_FILENO), -1);
    } else {
        CHECK_EQUAL(fstat(STDOUT_FILENO, &status), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        funlockfile(stdout);
    MPI_Finalize();
    return 0;
}
