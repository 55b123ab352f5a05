/* What the benchmark programs share: a clock, memory, repetition, and the line that run.py reads:
 *
 *   @ TEST SIZE_BYTES MEDIAN MINIMUM MAXIMUM SAMPLES
 *
 * where the times are seconds for one operation. Plain C and MPI only, so that the same sources run
 * under every MPI implementation. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES_MAX = 101 };

static inline double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void print_figure(const char *test, long size_bytes, double *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, compare_samples);
    double median =
        count % 2 ? samples[count / 2] : (samples[count / 2] + samples[count / 2 - 1]) / 2;
    printf("@ %s %ld %.6e %.6e %.6e %d\n", test, size_bytes, median, samples[0], samples[count - 1],
           count);
    fflush(stdout);
}

/* Page-aligned, and touched, so that no page fault falls into a timed part. */
static inline void *allocate_touched(size_t size_bytes) {
    void *p = NULL;
    if (posix_memalign(&p, 4096, size_bytes ? size_bytes : 1)) {
        fprintf(stderr, "out of memory: %zu bytes\n", size_bytes);
        exit(2);
    }
    memset(p, 1, size_bytes);
    return p;
}

/* Options that all programs know: how often to sample, and how long a sample lasts. */
struct sampling {
    int samples;
    double sample_s;
    double budget_s; /* no further sample once a figure has taken this long */
};

/* Reads -r SAMPLES, -t SAMPLE_SECONDS and -b BUDGET_SECONDS; returns the index of the first
 * argument after them. */
static inline int parse_sampling(int argc, char **argv, struct sampling *s) {
    int a = 1;
    *s = (struct sampling){5, 0.02, 5};
    for (; a + 1 < argc && argv[a][0] == '-'; a += 2) {
        if (argv[a][1] == 'r')
            s->samples = atoi(argv[a + 1]);
        else if (argv[a][1] == 't')
            s->sample_s = atof(argv[a + 1]);
        else if (argv[a][1] == 'b')
            s->budget_s = atof(argv[a + 1]);
    }
    if (s->samples < 1 || s->samples > SAMPLES_MAX) {
        fprintf(stderr, "-r must be 1 to %d\n", SAMPLES_MAX);
        exit(2);
    }
    return a;
}

#endif
