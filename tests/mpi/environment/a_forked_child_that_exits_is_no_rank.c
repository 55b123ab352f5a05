// A child that a rank forks is not a rank: it ends by exit(0) with its own exit code, and nobody
// complains that it has not called MPI_Finalize.
// ranks: 1 2
// expect: ^rank 0: the children ended with 0 and 7$
// expect-not: MPI_Finalize
#include "world.h"

#include <sys/wait.h>
#include <unistd.h>

static int code_of_child(int code) {
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        exit(code);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
    start(NULL, NULL);
    const int first = code_of_child(0), second = code_of_child(7);
    printf("rank %d: the children ended with %d and %d\n", rank, first, second);
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
