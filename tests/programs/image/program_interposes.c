// The program defines functions of the C library itself: its own calls and those of its libraries
// reach each rank's own, libmpi and the C library keep theirs.
// ranks: 1 2 8
// ends: 0
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int of_time, of_getenv, of_rand, of_usleep, of_write, of_getpid;

time_t time(time_t *t) {
    ++of_time;
    if (t)
        *t = 17;
    return 17;
}

char *getenv(const char *name) {
    ++of_getenv;
    return name[0] == 'M' ? "mine" : NULL;
}

int rand(void) {
    return ++of_rand;
}

int usleep(useconds_t us) {
    of_usleep += (int)us;
    return 0;
}

ssize_t write(int fd, const void *data, size_t size) {
    (void)fd;
    (void)data;
    ++of_write;
    return (ssize_t)size;
}

// In front of the C library's, which it calls.
pid_t getpid(void) {
    pid_t (*next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "getpid");
    ++of_getpid;
    return next();
}

int main(int argc, char **argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    of_getenv = of_time = of_write = of_getpid = 0; // as one rank, MPI_Init may call them
    for (int i = 0; i <= rank; ++i)
        CHECK(time(NULL) == 17 && rand() == i + 1 && !strcmp(getenv("MINE"), "mine"));
    usleep(1000 + (useconds_t)rank);
    CHECK_EQUAL(write(-1, "x", 1), 1);
    CHECK(getpid() > 0 && getpid() == getpid());
    printf("rank %d prints\n", rank);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(of_time, rank + 1);
    CHECK_EQUAL(of_getenv, rank + 1);
    CHECK_EQUAL(of_rand, rank + 1);
    CHECK_EQUAL(of_usleep, 1000 + rank);
    CHECK_EQUAL(of_write, 1);
    CHECK(of_getpid >= 3);
    MPI_Finalize();
    return 0;
}
