// ranks: 8
// State that the ranks share (docs/process_semantics.md): the process id and its parent, limits,
// the heap, the files behind descriptors above 2; and what is refused: signalfd.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, of_root[4], file = -1;
    char *memory = NULL;
    struct rlimit limit;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        memory = strdup("made by rank 0");
        file = open("/proc/self/cmdline", O_RDONLY);
        CHECK_EQUAL(getrlimit(RLIMIT_CORE, &limit), 0);
        limit.rlim_cur = 0;
        CHECK_EQUAL(setrlimit(RLIMIT_CORE, &limit), 0);
    }
    of_root[0] = getpid();
    of_root[1] = getppid();
    of_root[2] = (int)getuid();
    of_root[3] = file;
    MPI_Bcast(of_root, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&memory, sizeof memory, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK_EQUAL(getpid(), of_root[0]);
    CHECK_EQUAL(getppid(), of_root[1]);
    CHECK_EQUAL(getuid(), of_root[2]);
    CHECK_EQUAL(getrlimit(RLIMIT_CORE, &limit), 0);
    CHECK_EQUAL(limit.rlim_cur, 0);
    CHECK(fcntl(of_root[3], F_GETFD) >= 0);
    CHECK(!strcmp(memory, "made by rank 0"));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 7)
        free(memory); // by another rank than its maker
    sigset_t set;
    sigemptyset(&set);
    if (rank == 3) {
        CHECK_EQUAL(signalfd(-1, &set, 0), -1);
        CHECK_EQUAL(errno, ENOSYS);
    }
    // The thread that happens to run the rank: what the rank sees at once, others may see later.
    if (rank == 0) {
        errno = 0;
        int old = getpriority(PRIO_PROCESS, 0);
        CHECK_EQUAL(nice(1), old + 1);
        CHECK_EQUAL(getpriority(PRIO_PROCESS, 0), old + 1);
        CHECK_EQUAL(setpriority(PRIO_PROCESS, 0, old + 2), 0);
        CHECK_EQUAL(nice(0), old + 2);
        CHECK_EQUAL(errno, 0);
    }
    MPI_Finalize();
    return 0;
}
