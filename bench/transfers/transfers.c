/* transfers OPERATION COUNT FILE
 *
 * Does OPERATION COUNT times, while the library counts how often cache lines move between its
 * threads (directory.cc), and writes the counts to FILE. For transfers.py, with a library that is
 * built with THRUM_COUNT_TRANSFERS. */
#include "../counted_operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void thrum_debug_count_transfers(void);
unsigned long thrum_debug_write_transfers(const char *path);

static int size;
static MPI_Win window;

static void ring(void) {
    MPI_Sendrecv(in, 1, MPI_DOUBLE, (rank + 1) % size, 0, out, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A butterfly's far pairs: most are of different workers. */
static void far(void) {
    int other = (rank + size / 2) % size;
    MPI_Sendrecv(in, 1, MPI_DOUBLE, other, 0, out, 1, MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void put(void) {
    MPI_Put(in, 1, MPI_DOUBLE, rank ^ 1, 0, 1, MPI_DOUBLE, window);
    MPI_Win_flush(rank ^ 1, window);
}

static void dup(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
}

static const struct {
    const char *name;
    void (*run)(void);
} operations[] = {{"pairs", pairs}, {"ring", ring},           {"far", far}, {"barrier", barrier},
                  {"bcast", bcast}, {"allreduce", allreduce}, {"put", put}, {"dup", dup}};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(out, sizeof out, sizeof *out, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    size_t chosen = 0, known = sizeof operations / sizeof *operations;
    while (argc == 4 && chosen < known && strcmp(argv[1], operations[chosen].name))
        chosen++;
    if (argc != 4 || chosen == known) {
        fprintf(stderr, "usage: transfers OPERATION COUNT FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    long count = atol(argv[2]);
    for (long i = 0; i < count / 10; i++)
        operations[chosen].run();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        thrum_debug_count_transfers();
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < count; i++)
        operations[chosen].run();
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned long lost = rank == 0 ? thrum_debug_write_transfers(argv[3]) : 0;
    if (lost) {
        fprintf(stderr, "the counts are not whole: %lu are missing\n", lost);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
