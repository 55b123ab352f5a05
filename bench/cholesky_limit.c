/* cholesky_limit ORDER RANKS [REPETITIONS]: what examples/cholesky.c does without MPI: the same
 * arithmetic and a memcpy for each message, on as many buffers as that many ranks have, by a thread
 * for each core. No thread waits for another one, and each adds to a vector of its own. So this is
 * a lower bound for any MPI whose messages are copied once. */
#define _GNU_SOURCE
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>

enum { THREADS_MAX = 256 };

static int order, ranks, threads;
static double **column; /* [j]: rows j .. order-1 */
static double **sum;    /* by rank: what its columns contribute */
static double **other;  /* by rank: a contribution that has arrived */
static pthread_barrier_t all;

static void contribute(int rank, int j) {
    double *to = sum[rank];
    memset(to, 0, (size_t)(order - j) * sizeof *to);
    for (int k = rank; k < j; k += ranks) {
        const double *l = column[k] + (j - k);
        double factor = l[0];
        for (int i = 0; i < order - j; i++)
            to[i] += factor * l[i];
    }
}

static void add(double *restrict total, const double *restrict part, int count) {
    for (int i = 0; i < count; i++)
        total[i] += part[i];
}

/* The work of the ranks that this thread has: every `threads`-th. */
static void *work(void *thread) {
    const int first = (int)(intptr_t)thread;
    double *total = allocate_touched((size_t)order * sizeof *total);
    pthread_barrier_wait(&all);
    for (int j = 0; j < order; j++) {
        const size_t bytes = (size_t)(order - j) * sizeof *total;
        /* Ranks of two threads may send to one: each thread copies for itself. */
        double *arrived = other[(j % ranks) * threads + first];
        for (int rank = first; rank < ranks && rank <= j; rank += threads) {
            contribute(rank, j);
            if (rank == j % ranks)
                continue;
            memcpy(arrived, sum[rank], bytes);
            add(total, arrived, order - j);
        }
    }
    pthread_barrier_wait(&all);
    free(total);
    return NULL;
}

static double measure(void) {
    pthread_t others[THREADS_MAX];
    double start = now_seconds();
    for (int t = 1; t < threads; t++)
        if (pthread_create(&others[t], NULL, work, (void *)(intptr_t)t)) {
            perror("pthread_create");
            exit(2);
        }
    work(NULL);
    for (int t = 1; t < threads; t++)
        pthread_join(others[t], NULL);
    return now_seconds() - start;
}

static double **allocate(int count, int numbers, int shrinks) {
    double **vectors = malloc((size_t)count * sizeof *vectors);
    for (int i = 0; vectors && i < count; i++)
        vectors[i] = memset(allocate_touched((size_t)(numbers - shrinks * i) * sizeof(double)), 0,
                            (size_t)(numbers - shrinks * i) * sizeof(double));
    return vectors;
}

int main(int argc, char **argv) {
    double samples[SAMPLES_MAX];
    order = argc > 1 ? atoi(argv[1]) : 0;
    ranks = argc > 2 ? atoi(argv[2]) : 0;
    const int repetitions = argc > 3 ? atoi(argv[3]) : 5;
    cpu_set_t usable;
    if (order < 1 || ranks < 1 || repetitions < 1 || repetitions > SAMPLES_MAX ||
        sched_getaffinity(0, sizeof usable, &usable)) {
        fprintf(stderr, "cholesky_limit ORDER RANKS [REPETITIONS]\n");
        return 2;
    }
    threads = CPU_COUNT(&usable) < THREADS_MAX ? CPU_COUNT(&usable) : THREADS_MAX;
    pthread_barrier_init(&all, NULL, (unsigned)threads);
    column = allocate(order, order, 1);
    sum = allocate(ranks, order, 0);
    other = allocate(ranks * threads, order, 0);
    if (!column || !sum || !other) {
        fprintf(stderr, "cholesky_limit: out of memory\n");
        return 2;
    }
    for (int i = 0; i < repetitions; i++)
        samples[i] = measure();
    print_figure("cholesky_limit", order, samples, repetitions);
    return 0;
}
