/* rooted [-r samples] [-t seconds] [-b seconds] OPERATION:ROOTS ...: bcast, reduce and allreduce of
 * one double, whose root is in each call the same, another (rotating), or another after every 16
 * calls (combined): TMPI paper, section 4.2. A sample is a barrier, `count` calls back to back and
 * a barrier; the figure is its wall time divided by the count. */
#include "bench.h"

#include <mpi.h>

enum { calls_per_root = 16 };

static int rank, size;

static int root_of(const char *roots, long call) {
    if (!strcmp(roots, "rotating"))
        return (int)(call % size);
    return !strcmp(roots, "combined") ? (int)(call / calls_per_root % size) : 0;
}

/* Whether what arrived is right. */
static int call(const char *operation, int root, double number) {
    double out = number + rank, in = -1, sum = number * size + size * (size - 1) / 2.0;
    if (!strcmp(operation, "bcast")) {
        MPI_Bcast(&out, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
        return out == number + root;
    }
    if (!strcmp(operation, "reduce")) {
        MPI_Reduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
        return rank != root || in == sum;
    }
    MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return in == sum;
}

static double calls(const char *operation, const char *roots, long count) {
    int right = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    for (long i = 0; i < count; i++)
        right &= call(operation, root_of(roots, i), (double)(i % 1000));
    MPI_Barrier(MPI_COMM_WORLD);
    double time = now_seconds() - start;
    if (!right) {
        fprintf(stderr, "rooted: rank %d: wrong result of %s\n", rank, operation);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return time;
}

static void measure(const char *operation, const char *roots, const struct sampling *s) {
    double samples[SAMPLES_MAX], begin = now_seconds();
    char name[64];
    long count = 8;
    for (int enough = 0; !enough;) {
        count *= 2;
        enough = calls(operation, roots, count) >= s->sample_s;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    int done = 0;
    for (int more = 1; more;) {
        samples[done++] = calls(operation, roots, count) / (double)count;
        more = done < s->samples && now_seconds() - begin < s->budget_s;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    snprintf(name, sizeof name, "%s_%s", operation, roots);
    if (rank == 0)
        print_figure(name, (long)sizeof(double), samples, done);
}

int main(int argc, char **argv) {
    struct sampling s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int a = parse_sampling(argc, argv, &s); a < argc; a++) {
        char *roots = strchr(argv[a], ':');
        if (!roots) {
            fprintf(stderr, "rooted: %s: expected OPERATION:ROOTS\n", argv[a]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        *roots = 0;
        measure(argv[a], roots + 1, &s);
    }
    MPI_Finalize();
    return 0;
}
