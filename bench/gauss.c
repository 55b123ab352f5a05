/* gauss [-r samples] [-b seconds] [order]: Gaussian elimination, rows dealt out in turn, MPI_Bcast
 * of the pivot row from the diagonal on and its right-hand side (TMPI paper, section 4.3). The
 * figure is the time of the elimination; the triangle is checked. */
#include "application.h"

#include <math.h>

static double *rows, *pivot;

static double *row_of(int i) { /* of this rank: i % size == rank */
    return rows + (size_t)(i / size) * ((size_t)order + 1);
}

/* The solution is all ones. */
static void fill(void) {
    for (int i = rank; i < order; i += size) {
        double *row = row_of(i), sum = 0;
        for (int j = 0; j < order; j++) {
            row[j] = i == j ? 2.0 * order : 1.0 / (1 + (i * 7 + j * 13) % 17);
            sum += row[j];
        }
        row[order] = sum;
    }
}

static double eliminate(void) {
    fill();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    for (int k = 0; k < order; k++) {
        double *p = rank == k % size ? row_of(k) : pivot;
        MPI_Bcast(p + k, order + 1 - k, MPI_DOUBLE, k % size, MPI_COMM_WORLD);
        int first = k + 1 + ((rank - k - 1) % size + size) % size;
        for (int i = first; i < order; i += size) {
            double *row = row_of(i), factor = row[k] / p[k];
            for (int j = k; j <= order; j++)
                row[j] -= factor * p[j];
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return now_seconds() - start;
}

/* Each row of the triangle sums to its right-hand side. */
static void check(void) {
    for (int i = rank; i < order; i += size) {
        double *row = row_of(i), sum = 0;
        for (int j = i; j < order; j++)
            sum += row[j];
        if (fabs(sum - row[order]) > 1e-6 * fabs(row[order]) || (i > 0 && fabs(row[i - 1]) > 1e-9))
            end_with(3, "gauss", "wrong result");
    }
}

int main(int argc, char **argv) {
    struct sampling s = begin_application(&argc, &argv);
    if (order < 1)
        end_with(2, "gauss", "the order must be at least 1");
    size_t row_bytes = ((size_t)order + 1) * sizeof *rows;
    rows = allocate_touched((size_t)((order + size - 1) / size) * row_bytes);
    pivot = allocate_touched(row_bytes);
    measure_application("gauss", &s, eliminate, check);
    free(rows);
    free(pivot);
    MPI_Finalize();
    return 0;
}
