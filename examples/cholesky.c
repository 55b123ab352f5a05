/* cholesky [-n order] [-r repetitions]: dense Cholesky factorisation A = L L' with plain MPI.
 *
 * Fan-in, columns dealt out cyclically: for column j every rank adds up what the columns k < j that
 * it owns contribute, L[j][k] * L[j..n-1][k], and sends this sum (n - j numbers) to the owner of
 * column j, which subtracts all sums from A's column and scales it. The program is an ordinary one:
 * its state is in global variables, and it knows nothing of threads.
 *
 * Rank 0 prints one line for programs to read
 *   ranks R order N seconds T messages M bytes B residual E
 * and, on a terminal, the progress. Exit code 1 if the residual |L L' x - A x| / |A x| exceeds
 * 1e-12. */
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static int n = 2000;
static double **column;     /* column[j / size]: rows j .. n-1 of column j, if this rank owns it */
static double *sum, *other; /* n numbers each: own contributions, and somebody else's */
static long messages_sent, bytes_sent;

static int owner(int j) {
    return j % size;
}

static double *own_column(int j) {
    return column[j / size];
} /* [i - j]: row i */

/* Symmetric, positive definite: its diagonal dominates. */
static double a(int i, int j) {
    return i == j ? n : 1.0 / (1 + abs(i - j));
}

static double *allocate(int count) {
    double *p = malloc((size_t)count * sizeof *p);
    if (!p) {
        fprintf(stderr, "cholesky: rank %d: out of memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return p;
}

static void create_matrix(void) {
    column = calloc((size_t)(n / size) + 1, sizeof *column);
    sum = allocate(n);
    other = allocate(n);
    for (int j = rank; j < n; j += size)
        column[j / size] = allocate(n - j);
}

static void fill_matrix(void) {
    for (int j = rank; j < n; j += size)
        for (int i = j; i < n; i++)
            own_column(j)[i - j] = a(i, j);
}

static void free_matrix(void) {
    for (int j = rank; j < n; j += size)
        free(column[j / size]);
    free(column);
    free(sum);
    free(other);
}

static void show_progress(int j) {
    static int on_terminal = -1, percent_shown = -1;
    int percent = (int)(100L * (j + 1) / n);
    if (on_terminal < 0)
        on_terminal = isatty(STDERR_FILENO);
    if (on_terminal && percent != percent_shown) {
        percent_shown = percent;
        fprintf(stderr, "\rcholesky: %d ranks: column %d of %d, %d %%%s", size, j + 1, n, percent,
                percent == 100 ? "\r\033[K" : "");
    }
}

/* sum[0 .. n-j-1] = what this rank's columns before j contribute; returns how many these are. */
static int contribute(int j) {
    int columns = 0;
    memset(sum, 0, (size_t)(n - j) * sizeof *sum);
    for (int k = rank; k < j; k += size, columns++) {
        const double *l = own_column(k) + (j - k);
        double factor = l[0];
        for (int i = 0; i < n - j; i++)
            sum[i] += factor * l[i];
    }
    return columns;
}

static void finish_column(int j) {
    int others = j < size ? j : size - 1; /* the other ranks that own a column before j */
    for (int m = 0; m < others; m++) {
        MPI_Recv(other, n - j, MPI_DOUBLE, MPI_ANY_SOURCE, j, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n - j; i++)
            sum[i] += other[i];
    }
    double *l = own_column(j);
    double scale = 1 / sqrt(l[0] - sum[0]);
    for (int i = 0; i < n - j; i++)
        l[i] = (l[i] - sum[i]) * scale;
}

static void factorise(void) {
    for (int j = 0; j < n; j++) {
        int contributions = contribute(j);
        if (owner(j) == rank) {
            finish_column(j);
        } else if (contributions > 0) {
            MPI_Send(sum, n - j, MPI_DOUBLE, owner(j), j, MPI_COMM_WORLD);
            messages_sent++;
            bytes_sent += (long)(n - j) * (long)sizeof *sum;
        }
        if (rank == 0)
            show_progress(j);
    }
}

/* |L L' x - A x| / |A x| for a vector x without pattern; on rank 0. */
static double residual(void) {
    double *x = allocate(n), *y = allocate(n), *all = allocate(n);
    double difference = 0, norm = 0;
    unsigned state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = state / 4294967296.0 - 0.5;
        y[i] = 0;
    }
    for (int j = rank; j < n; j += size) {
        const double *l = own_column(j);
        double dot = 0;
        for (int i = j; i < n; i++)
            dot += l[i - j] * x[i];
        for (int i = j; i < n; i++)
            y[i] += l[i - j] * dot;
    }
    MPI_Reduce(y, all, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < n; i++) {
        double ax = 0;
        for (int j = 0; j < n; j++)
            ax += a(i, j) * x[j];
        difference += (all[i] - ax) * (all[i] - ax);
        norm += ax * ax;
    }
    free(x);
    free(y);
    free(all);
    return rank == 0 ? sqrt(difference / norm) : 0;
}

static int parse_options(int argc, char **argv) {
    int repetitions = 1, option;
    while ((option = getopt(argc, argv, "n:r:")) != -1) {
        if (option == 'n')
            n = atoi(optarg);
        else if (option == 'r')
            repetitions = atoi(optarg);
        else
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (n < 1 || repetitions < 1) {
        fprintf(stderr, "cholesky: -n and -r need positive numbers\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return repetitions;
}

int main(int argc, char **argv) {
    double best = INFINITY;
    long totals[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int repetitions = parse_options(argc, argv);
    create_matrix();
    for (int r = 0; r < repetitions; r++) {
        fill_matrix();
        messages_sent = bytes_sent = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        factorise();
        MPI_Barrier(MPI_COMM_WORLD);
        double seconds = MPI_Wtime() - start;
        if (seconds < best)
            best = seconds;
    }
    double error = residual();
    long counts[2] = {messages_sent, bytes_sent};
    MPI_Reduce(counts, totals, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ranks %d order %d seconds %.6f messages %ld bytes %ld residual %.2e\n", size, n,
               best, totals[0], totals[1], error);
    free_matrix();
    MPI_Finalize();
    return !(error <= 1e-12);
}
