/* misses OPERATION[:NUMBER] COUNT ...
 *
 * Does each OPERATION COUNT times, and a barrier after it. For misses.py, which counts what a job
 * does more if one COUNT is larger. */
#include "counted_operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { line_bytes = 64, page_bytes = 4096 };

static volatile char *memory; /* of `lines` and `pages` */
static long number;

/* The next two test the simulation: each access to another line, or to another page. */

static void lines(void) {
    for (long i = 0; i < number; i++)
        memory[i * line_bytes]++;
}

static void pages(void) {
    for (long i = 0; i < number; i++)
        memory[i * (page_bytes + line_bytes)]++;
}

static const struct {
    const char *name;
    void (*run)(void);
} operations[] = {{"barrier", barrier}, {"bcast", bcast}, {"allreduce", allreduce},
                  {"pairs", pairs},     {"lines", lines}, {"pages", pages}};

static void perform(const char *name, long count) {
    const char *colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    const size_t known = sizeof operations / sizeof *operations;
    size_t chosen = 0;
    while (chosen < known && (strlen(operations[chosen].name) != length ||
                              strncmp(operations[chosen].name, name, length) != 0))
        chosen++;
    if (chosen == known) {
        fprintf(stderr, "misses: no operation is called %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    number = colon ? atol(colon + 1) : 0;
    memory = calloc((size_t)number + 1, page_bytes + line_bytes);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (long i = 0; i < count; i++)
        operations[chosen].run();
    MPI_Barrier(MPI_COMM_WORLD);
    free((void *)memory);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i + 1 < argc; i += 2)
        perform(argv[i], atol(argv[i + 1]));
    MPI_Finalize();
    return 0;
}
