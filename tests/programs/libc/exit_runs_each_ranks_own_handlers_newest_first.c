// ranks: 8
// C11 7.22.4.4: "all functions registered by the atexit function are called, in the reverse order
// of their registration"; each rank is a process of its own and has a list of its own.
#define _DEFAULT_SOURCE
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static int rank, step;

static void expect(int wanted) {
    if (step++ != wanted) {
        fprintf(stderr, "rank %d: handler %d runs as number %d\n", rank, wanted, step - 1);
        fflush(stderr);
        _exit(1);
    }
}

static void last(void) {
    expect(4);
}

static void from_handler(void) {
    expect(3);
}

static void third(void) {
    expect(2);
    atexit(from_handler);
}

static void second(int code, void *argument) {
    if (code != 0 || *(int *)argument != rank)
        _exit(1);
    expect(1);
}

static void first(void) {
    expect(0);
}

static __attribute__((destructor)) void destroy(void) {
    expect(5);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(last);
    atexit(third);
    on_exit(second, &rank);
    atexit(first);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank % 2)
        exit(0);
    return 0;
}
