/* jacobi [-r samples] [POINTS]: Jacobi's method on POINTS x POINTS points, in stripes of rows, with
 * the borders by MPI_Sendrecv. Prints two figures for one step: jacobi, all of it, and jacobi_mpi,
 * what a rank spends in MPI, the mean of all ranks, because who computes longer waits less. Each
 * sample is STEPS steps. */
#include "bench.h"

#include <mpi.h>

enum { STEPS = 50 };

static int rank, size;

static double *row(double *plate, int points, int i) {
    return plate + (size_t)i * (size_t)(points + 2);
}

static void exchange(double *plate, int points, int rows) {
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(row(plate, points, 1), points + 2, MPI_DOUBLE, above, 1,
                 row(plate, points, rows + 1), points + 2, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(plate, points, rows), points + 2, MPI_DOUBLE, below, 2, row(plate, points, 0),
                 points + 2, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void relax(double *plate, double *next, int points, int rows) {
    for (int i = 1; i <= rows; i++) {
        const double *up = row(plate, points, i - 1), *here = row(plate, points, i);
        const double *down = row(plate, points, i + 1);
        double *to = row(next, points, i);
        for (int j = 1; j <= points; j++)
            to[j] = (up[j] + down[j] + here[j - 1] + here[j + 1]) / 4;
    }
}

/* One sample: the time of a step, and what of it is MPI's. */
static double steps(double **plate, double **next, int points, int rows, double *in_mpi) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    *in_mpi = 0;
    for (int step = 0; step < STEPS; step++) {
        double begin = now_seconds();
        exchange(*plate, points, rows);
        *in_mpi += (now_seconds() - begin) / STEPS;
        relax(*plate, *next, points, rows);
        double *done = *next;
        *next = *plate;
        *plate = done;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double whole = (now_seconds() - start) / STEPS;
    MPI_Allreduce(MPI_IN_PLACE, in_mpi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    *in_mpi /= size;
    return whole;
}

int main(int argc, char **argv) {
    double whole[SAMPLES_MAX], in_mpi[SAMPLES_MAX];
    struct sampling s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int a = parse_sampling(argc, argv, &s);
    int points = a < argc ? atoi(argv[a]) : 2048;
    int rows = points / size + (rank < points % size);
    size_t bytes = sizeof(double) * (size_t)(rows + 2) * (size_t)(points + 2);
    double *plate = allocate_touched(bytes), *next = allocate_touched(bytes);
    memset(plate, 0, bytes);
    memset(next, 0, bytes);
    for (int j = 0; rank == 0 && j < points + 2; j++)
        plate[j] = next[j] = 100;
    for (int i = 0; i < s.samples; i++)
        whole[i] = steps(&plate, &next, points, rows, &in_mpi[i]);
    if (rank == 0) {
        if (row(plate, points, 1)[points / 2] < 50) {
            fprintf(stderr, "jacobi: wrong result\n");
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        print_figure("jacobi", points, whole, s.samples);
        print_figure("jacobi_mpi", points, in_mpi, s.samples);
    }
    free(plate);
    free(next);
    MPI_Finalize();
    return 0;
}
