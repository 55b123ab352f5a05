// A child of fork() gets the memory of all ranks as it is at that moment, also when another rank is
// about to end and holds a lock of the library. Children end by exit(), which must not wait for a
// thread that they do not have.
// POSIX.1-2017, fork(): "A process shall be created with a single thread."
//
// ranks: 16 64
// timeout: 60
#include "check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    // The ranks end one after the other, while those that are left fork.
    for (int i = 0; i <= rank / 2; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            exit(0);
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return 0;
}
