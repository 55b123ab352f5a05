/* What the applications of the TMPI paper share (gauss.c, matrix_multiply.c): [-r samples]
 * [-b seconds] [order], and the repetition of a timed run. */
#ifndef APPLICATION_H
#define APPLICATION_H

#include "bench.h"

#include <mpi.h>

static int rank, size, order;

/* Starts MPI; returns the options. */
static struct sampling begin_application(int *argc, char ***argv) {
    struct sampling s;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int at = parse_sampling(*argc, *argv, &s);
    order = at < *argc ? atoi((*argv)[at]) : 512;
    return s;
}

static void end_with(int code, const char *program, const char *why) {
    fprintf(stderr, "%s: rank %d: %s\n", program, rank, why);
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* Repeats run(), which returns its time, and prints the figure after check(). */
static void measure_application(const char *name, const struct sampling *s, double (*run)(void),
                                void (*check)(void)) {
    double samples[SAMPLES_MAX], begin = now_seconds();
    int done = 0;
    run();
    for (int more = 1; more;) {
        samples[done++] = run();
        more = done < s->samples && now_seconds() - begin < s->budget_s;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    check();
    if (rank == 0)
        print_figure(name, order, samples, done);
}

#endif
