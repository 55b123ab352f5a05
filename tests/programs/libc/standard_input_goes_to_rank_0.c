// ranks: 1 8
// args: < /etc/passwd
// Rank 0 reads the standard input of the job; the others find it empty, by every way of reading,
// until they open something else as stdin.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank;

static void reads_its_own_file(void) {
    char path[] = "/tmp/thrum-stdin-XXXXXX", expected[32], word[32] = "", line[64];
    int file = mkstemp(path), number = 0;
    CHECK(file >= 0);
    snprintf(expected, sizeof expected, "%d word%d\nrest %d\n", rank, rank, rank);
    CHECK_EQUAL(write(file, expected, strlen(expected)), strlen(expected));
    close(file);
    CHECK(freopen(path, "r", stdin) == stdin);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(scanf("%d %31s", &number, word), 2);
    CHECK_EQUAL(number, rank);
    CHECK_EQUAL(getchar(), '\n');
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(fgets(line, sizeof line, stdin) != NULL);
    CHECK(!strncmp(line, "rest ", 5) && atoi(line + 5) == rank);
    CHECK_EQUAL(getchar(), EOF);
    // The same by descriptor; a child of the rank reads it, too.
    file = open(path, O_RDONLY);
    CHECK_EQUAL(dup2(file, STDIN_FILENO), STDIN_FILENO);
    close(file);
    CHECK_EQUAL(read(STDIN_FILENO, line, 3), 3);
    CHECK(!strncmp(line, expected, 3));
    CHECK_EQUAL(lseek(STDIN_FILENO, 0, SEEK_SET), 0);
    char command[64];
    snprintf(command, sizeof command, "read n w && test \"$n $w\" = '%d word%d'", rank, rank);
    CHECK_EQUAL(system(command), 0);
    CHECK_EQUAL(close(STDIN_FILENO), 0);
    CHECK_EQUAL(read(STDIN_FILENO, line, 1), -1);
    CHECK_EQUAL(errno, EBADF);
    unlink(path);
}

int main(int argc, char **argv) {
    char line[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(fileno(stdin), 0);
    CHECK(!isatty(0));
    struct stat status, empty;
    CHECK_EQUAL(fstat(0, &status), 0);
    CHECK_EQUAL(stat("/dev/null", &empty), 0);
    CHECK_EQUAL(S_ISREG(status.st_mode), rank == 0);
    CHECK_EQUAL(status.st_rdev == empty.st_rdev, rank != 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(fgets(line, sizeof line, stdin) != NULL);
        CHECK(strchr(line, ':') != NULL);
    } else {
        CHECK_EQUAL(read(0, line, sizeof line), 0);
        CHECK_EQUAL(getchar(), EOF);
        CHECK(feof(stdin));
        clearerr(stdin);
        CHECK(fgets(line, sizeof line, stdin) == NULL);
        CHECK_EQUAL(system("test -z \"$(cat)\""), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK(fgets(line, sizeof line, stdin) != NULL); // nobody has taken it
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        reads_its_own_file();
    }
    MPI_Finalize();
    return 0;
}
