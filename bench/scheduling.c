/* scheduling [-r samples] [-t seconds] TEST: where a scheduler of ranks on few cores puts them.
 *
 *   pairs   ranks 2i and 2i + 1 exchange 8 B all the time, all pairs at once: the time of half a
 *           round trip, of the slowest pair. The second figure, pairs_moves, is how often a rank
 *           has found itself on another thread of the system than before, for each second.
 *   settle  pairs exchange 8 B for a moment, which brings them together. Then all ranks compute
 *           for SETTLE_S at the same moment: the time until the last has finished, as multiple of
 *           the least that the cores allow.
 *   mixed   ranks 0 and 1 exchange 8 B; the others compute without a pause: half a round trip.
 */
#include "bench.h"

#include <mpi.h>

#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static const double SETTLE_S = 0.02;
static int rank, size;
static long moves;

static long thread_now(void) {
    return syscall(SYS_gettid);
}

/* Exchanges 8 B so many times. Looks now and then on which thread it runs. */
static double trips(long count) {
    enum { TRIPS_BETWEEN_LOOKS = 64 };

    const int peer = rank ^ 1;
    double value = 0;
    long thread = thread_now();
    const double start = now_seconds();
    for (long i = 0; i < count; i++) {
        if (rank < peer)
            MPI_Send(&value, 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank > peer)
            MPI_Send(&value, 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
        if (i % TRIPS_BETWEEN_LOOKS == 0 && thread_now() != thread) {
            thread = thread_now();
            moves++;
        }
    }
    return now_seconds() - start;
}

static double largest(double value) {
    double all;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* The number of trips that fill a sample, the same in all ranks; warms up, too. */
static long calibrate(double sample_s) {
    long count = 1;
    while (largest(trips(count)) < sample_s)
        count *= 2;
    return count;
}

static void measure_pairs(const struct sampling *s) {
    double samples[SAMPLES_MAX], all_s = 0;
    const long count = calibrate(s->sample_s);
    long all_moves;
    moves = 0;
    for (int i = 0; i < s->samples; i++) {
        const double elapsed_s = largest(trips(count));
        all_s += elapsed_s;
        samples[i] = elapsed_s / (double)count / 2;
    }
    MPI_Reduce(&moves, &all_moves, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double a_second = (double)all_moves / all_s;
        print_figure("pairs", size, samples, s->samples);
        print_figure("pairs_moves", size, &a_second, 1);
    }
}

/* Computes until the thread has had so much time of a core. */
static void compute(double seconds) {
    struct timespec t;
    double begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    begin = now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    while (now < begin + seconds) {
        for (volatile int i = 0; i < 1000; i++)
            ;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
}

static void measure_settle(const struct sampling *s) {
    double samples[SAMPLES_MAX];
    const long count = calibrate(s->sample_s);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const double least_s = SETTLE_S * (double)((size + cores - 1) / cores);
    for (int i = 0; i < s->samples; i++) {
        trips(count);
        MPI_Barrier(MPI_COMM_WORLD);
        double first = -now_seconds(); /* a rank that waits for a core begins late */
        compute(SETTLE_S);
        const double last = largest(now_seconds());
        first = -largest(first);
        samples[i] = (last - first) / least_s;
    }
    if (rank == 0)
        print_figure("settle", size, samples, s->samples);
}

static void measure_mixed(const struct sampling *s) {
    double samples[SAMPLES_MAX];
    MPI_Comm talkers;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &talkers);
    if (rank < 2) {
        long count = 1;
        for (bool enough = false; !enough; count *= 2) {
            int more = trips(count) < s->sample_s;
            MPI_Bcast(&more, 1, MPI_INT, 0, talkers);
            enough = !more;
        }
        for (int i = 0; i < s->samples; i++)
            samples[i] = trips(count) / (double)count / 2;
        if (rank == 0)
            print_figure("mixed", size, samples, s->samples);
    } else {
        compute(s->sample_s * (s->samples + 3));
    }
    MPI_Comm_free(&talkers);
}

int main(int argc, char **argv) {
    struct sampling s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int argument = parse_sampling(argc, argv, &s);
    const char *test = argument < argc ? argv[argument] : "";
    if (size % 2 == 0 && strcmp(test, "pairs") == 0) {
        measure_pairs(&s);
    } else if (size % 2 == 0 && strcmp(test, "settle") == 0) {
        measure_settle(&s);
    } else if (size >= 2 && strcmp(test, "mixed") == 0) {
        measure_mixed(&s);
    } else {
        if (rank == 0)
            fprintf(stderr, "usage: scheduling [-r samples] [-t seconds] pairs|settle|mixed, with "
                            "an even number of ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return 0;
}
