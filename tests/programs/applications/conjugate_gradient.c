// Conjugate gradients for the one-dimensional Poisson problem, in blocks of unequal length; inner
// products by MPI_Allreduce, neighbours by MPI_Isend and MPI_Irecv. In n steps the residual is zero
// but for rounding, and every rank has taken the same number of steps.
// ranks: 1 4 16 64
#include "world.h"

#include <math.h>

enum { kUnknowns = 200 };

static int first, count; // of this rank's unknowns

static double dot(const double *x, const double *y) {
    double mine = 0, sum = 0;
    for (int i = 0; i < count; ++i)
        mine += x[i] * y[i];
    CHECK_SUCCESS(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    return sum;
}

// y = A x with A = tridiag(-1, 2, -1)
static void multiply(const double *x, double *y) {
    double left = 0, right = 0;
    MPI_Request requests[4];
    int below = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        above = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Irecv(&left, 1, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&right, 1, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&x[count - 1], 1, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&x[0], 1, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[3]);
    CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < count; ++i)
        y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : left) - (i < count - 1 ? x[i + 1] : right);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    // Blocks grow with the rank.
    double share = (double)kUnknowns / size;
    first = (int)(share * rank);
    count = (rank == size - 1 ? kUnknowns : (int)(share * (rank + 1))) - first;
    CHECK(count > 0);
    static double x[kUnknowns], b[kUnknowns], r[kUnknowns], p[kUnknowns], ap[kUnknowns];
    static double solution[kUnknowns];
    for (int i = 0; i < count; ++i)
        solution[i] = sin(0.3 * (first + i)) + 0.01 * (first + i);
    multiply(solution, b);
    memcpy(r, b, sizeof r);
    memcpy(p, b, sizeof p);
    double rr = dot(r, r), start_rr = rr;
    int steps = 0;
    for (; steps < 2 * kUnknowns && rr > 1e-22 * start_rr; ++steps) {
        multiply(p, ap);
        double alpha = rr / dot(p, ap), before = rr;
        for (int i = 0; i < count; ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        rr = dot(r, r);
        for (int i = 0; i < count; ++i)
            p[i] = r[i] + rr / before * p[i];
    }
    CHECK(steps < 2 * kUnknowns);
    for (int i = 0; i < count; ++i)
        CHECK(fabs(x[i] - solution[i]) < 1e-6);
    int extremes[2], of_mine[2] = {steps, -steps};
    CHECK_SUCCESS(MPI_Allreduce(of_mine, extremes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK_EQUAL(extremes[0], -extremes[1]);
    return finish();
}
