// ranks: 2 6
// timeout: 60
// A child process ends only after another rank of the worker has done something: waitpid, wait,
// system, pclose.
#define _GNU_SOURCE
#include "pairs.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    for (int way = 0; way < 4; ++way) {
        int ends[2];
        if (is_first)
            CHECK_EQUAL(pipe2(ends, O_CLOEXEC), 0);
        share(ends, 2);
        if (!is_first) {
            CHECK_EQUAL(write(ends[1], "go\n", 3), 3);
            MPI_Barrier(MPI_COMM_WORLD);
            continue;
        }
        char command[100];
        int passed = dup(ends[0]), status = -1;
        snprintf(command, sizeof command, "read word </dev/fd/%d; test \"$word\" = go", passed);
        if (way < 2) {
            pid_t child = fork();
            CHECK(child >= 0);
            if (child == 0) {
                execl("/bin/sh", "sh", "-c", command, NULL);
                _exit(99);
            }
            CHECK_EQUAL(way == 0 ? waitpid(child, &status, 0) : wait(&status), child);
        } else if (way == 2) {
            status = system(command);
        } else {
            status = pclose(popen(command, "w"));
        }
        CHECK(WIFEXITED(status));
        CHECK_EQUAL(WEXITSTATUS(status), 0);
        close(passed);
        MPI_Barrier(MPI_COMM_WORLD);
        close(ends[0]);
        close(ends[1]);
    }
    return finish();
}
