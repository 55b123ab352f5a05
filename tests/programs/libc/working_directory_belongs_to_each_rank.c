// ranks: 1 8
// POSIX chdir: "the current working directory of the process"; here of the rank, over every switch
// between ranks, for relative paths and getcwd alike. So is the file mode mask.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    char start[PATH_MAX], own[64], here[PATH_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(getcwd(start, sizeof start) != NULL);
    strcpy(own, "/tmp/thrum-cwd-XXXXXX");
    CHECK(mkdtemp(own) != NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 3) {
        CHECK_EQUAL(chdir(own), 0);
        umask(rank % 2 ? 077 : 027);
    }
    for (int i = 0; i < 20; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(getcwd(here, sizeof here) != NULL);
        CHECK(!strcmp(here, rank == 3 ? start : own));
        if (rank == 3)
            continue;
        char name[16];
        struct stat status;
        snprintf(name, sizeof name, "file%d", i);
        int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0666);
        CHECK(file >= 0);
        CHECK_EQUAL(fstat(file, &status), 0);
        CHECK_EQUAL(status.st_mode & 0777, rank % 2 ? 0600 : 0640);
        close(file);
    }
    if (rank == 2) { // a failed chdir changes nothing
        CHECK_EQUAL(chdir("/no/such/directory"), -1);
        CHECK_EQUAL(errno, ENOENT);
    }
    char *name = get_current_dir_name();
    CHECK(!strcmp(name, rank == 3 ? start : own));
    free(name);
    int directory = open("/", O_RDONLY | O_DIRECTORY);
    CHECK_EQUAL(fchdir(directory), 0);
    close(directory);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(getcwd(here, sizeof here), "/"));
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", own);
    CHECK_EQUAL(system(command), 0);
    CHECK_EQUAL(chdir(start), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(getcwd(here, sizeof here), start));
    MPI_Finalize();
    return 0;
}
