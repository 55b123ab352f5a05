// ranks: 2 6
// timeout: 30
// open() and fopen() of a named pipe wait for the other end, which another rank of this worker
// opens.
#define _GNU_SOURCE
#include "pairs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    char name[100], line[100];
    snprintf(name, sizeof name, "/tmp/thrum.named_pipe.%d.%d", (int)getpid(), rank / 2);
    if (is_first)
        CHECK_EQUAL(mkfifo(name, 0600), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 10; ++round) {
        if (is_first) { // reads
            int descriptor = open(name, O_RDONLY);
            CHECK(descriptor >= 0);
            FILE *file = fdopen(descriptor, "r");
            CHECK(fgets(line, sizeof line, file) != NULL);
            CHECK_EQUAL(strcmp(line, "over the named pipe\n"), 0);
            CHECK(fgets(line, sizeof line, file) == NULL);
            CHECK_EQUAL(fclose(file), 0);
        } else {
            FILE *file = fopen(name, "w");
            CHECK(file != NULL);
            CHECK(fprintf(file, "over the named %s\n", "pipe") > 0);
            CHECK_EQUAL(fclose(file), 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (is_first)
        CHECK_EQUAL(unlink(name), 0);
    return finish();
}
