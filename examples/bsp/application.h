/* What the four programs share: the command line, the two ways to end a superstep, the line of
 * results.
 *
 *   ./gauss [-g] [-n SIZE] [-s STEPS] [-c]     -g: always globally   -c: compare with one process
 */
#ifndef THRUM_EXAMPLES_BSP_APPLICATION_H
#define THRUM_EXAMPLES_BSP_APPLICATION_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/bsp.h>

struct application {
    const char *name;
    int size;  /* equations, points of a side, bodies */
    int steps; /* of time */
    int global, compare;
    double started;
};

static struct application app;

static void read_arguments(const char *name, int size, int steps, int argc, char **argv) {
    app.name = name;
    app.size = size;
    app.steps = steps;
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "-g"))
            app.global = 1;
        else if (!strcmp(argv[i], "-c"))
            app.compare = 1;
        else if (!strcmp(argv[i], "-n") && i + 1 < argc)
            app.size = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-s") && i + 1 < argc)
            app.steps = atoi(argv[++i]);
        else
            bsp_abort("usage: %s [-g] [-n SIZE] [-s STEPS] [-c]", name);
    }
    if (app.size < 2 || app.steps < 1)
        bsp_abort("SIZE must be at least 2, STEPS at least 1");
}

/* The end of a superstep in which `count` messages come to this process. */
static void end_superstep(long count) {
    if (app.global)
        cbsp_gsync();
    else
        cbsp_nsync(count);
}

static inline void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        bsp_abort("out of memory for %zu bytes", bytes);
    return memory;
}

static void start_clock(void) {
    bsp_sync();
    app.started = bsp_time();
}

/* Process 0: the line that bench/papers/cbsp.py reads. `equal`: with the result of one process; -1:
 * not compared. */
static void print_results(double seconds, int equal) {
    struct bsp_counters c;
    bsp_get_counters(&c);
    long long supersteps = c.supersteps_global + c.supersteps_counted;
    printf("%s processes %d size %d mode %s seconds %.6f supersteps %lld known %lld result %s\n",
           app.name, bsp_nprocs(), app.size, app.global ? "global" : "counting", seconds,
           supersteps, c.supersteps_counted,
           equal < 0 ? "not compared"
           : equal   ? "equal"
                     : "DIFFERENT");
    if (equal == 0)
        bsp_abort("the result differs from that of one process");
}

#endif
