// ranks: 4
// What a rank sets by sched_setaffinity() and pthread_setaffinity_np() is what it gets from then
// on, whichever processors others have set; pthread_getattr_np() tells the stack of its main thread
// (Linux manual, sched_setaffinity(2), pthread_setaffinity_np(3), pthread_getattr_np(3)).
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static cpu_set_t usable;

// Returns the n-th processor that may be used, counted round.
static int processor(int n) {
    n %= CPU_COUNT(&usable);
    for (int i = 0;; ++i)
        if (CPU_ISSET(i, &usable) && n-- == 0)
            return i;
}

static void check_has_only(int expected) {
    cpu_set_t set;
    CHECK_EQUAL(pthread_getaffinity_np(pthread_self(), sizeof set, &set), 0);
    CHECK(CPU_COUNT(&set) == 1 && CPU_ISSET(expected, &set));
    CPU_ZERO(&set);
    CHECK_EQUAL(sched_getaffinity(0, sizeof set, &set), 0);
    CHECK(CPU_COUNT(&set) == 1 && CPU_ISSET(expected, &set));
}

int main(int argc, char **argv) {
    int rank;
    cpu_set_t set;
    pthread_attr_t attributes;
    void *low;
    size_t bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(sched_getaffinity(0, sizeof usable, &usable), 0);
    CHECK_EQUAL(pthread_getaffinity_np(pthread_self(), sizeof set, &set), 0);
    CHECK(CPU_EQUAL(&set, &usable));
    for (int round = 0; round < 3; ++round) {
        const int own = processor(rank + round);
        CPU_ZERO(&set);
        CPU_SET(own, &set);
        if (round % 2)
            CHECK_EQUAL(sched_setaffinity(0, sizeof set, &set), 0);
        else
            CHECK_EQUAL(pthread_setaffinity_np(pthread_self(), sizeof set, &set), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        check_has_only(own);
        CPU_ZERO(&set);
        CHECK_EQUAL(pthread_setaffinity_np(pthread_self(), sizeof set, &set), EINVAL);
        CHECK(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
        check_has_only(own);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_EQUAL(pthread_getattr_np(pthread_self(), &attributes), 0);
    CHECK_EQUAL(pthread_attr_getstack(&attributes, &low, &bytes), 0);
    CHECK((char *)&rank > (char *)low && (char *)&rank < (char *)low + bytes);
    CHECK_EQUAL(pthread_attr_destroy(&attributes), 0);
    MPI_Finalize();
    return 0;
}
