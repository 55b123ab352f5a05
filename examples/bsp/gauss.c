/* Gaussian elimination (Gauss-Jordan) of a dense system of equations; after application "gauss" of
 * R. Alpert and J. Philbin, "cBSP" (1997), section 6.2.1.
 *
 * Equation i belongs to process i mod p. In superstep k the owner of equation k sends it to all
 * others, and everybody eliminates unknown k from its other equations: n supersteps, in each of
 * which every process but the owner expects one message. One more collects the solution.
 *
 * The matrix is diagonally dominant, so that no pivots are searched. */
#include "application.h"

static double coefficient(int n, int i, int j) {
    unsigned h = (unsigned)i * 2654435761u ^ ((unsigned)j + 1) * 2246822519u;
    h ^= h >> 15;
    h *= 2654435761u;
    h ^= h >> 13;
    return (double)(h & 0xffff) / 65536 + (i == j ? n : 0); /* j == n: the right-hand side */
}

/* Rows first, first + stride ... of n equations with n + 1 columns. */
static double *make_rows(int n, int first, int stride) {
    double *rows = allocate(sizeof(double) * (size_t)(n + 1) * (size_t)(n / stride + 1));
    double *row = rows;
    for (int i = first; i < n; i += stride, row += n + 1)
        for (int j = 0; j <= n; ++j)
            row[j] = coefficient(n, i, j);
    return rows;
}

/* Unknown k goes from all of these rows but row k itself. */
static void eliminate(double *rows, int n, int first, int stride, const double *pivot, int k) {
    for (int i = first; i < n; i += stride, rows += n + 1) {
        if (i == k)
            continue;
        double factor = rows[k] / pivot[k];
        for (int j = k + 1; j <= n; ++j)
            rows[j] -= factor * pivot[j];
    }
}

static double *solve_alone(int n) {
    double *rows = make_rows(n, 0, 1), *x = allocate(sizeof(double) * (size_t)n);
    for (int k = 0; k < n; ++k)
        eliminate(rows, n, 0, 1, rows + (size_t)k * (size_t)(n + 1), k);
    for (int k = 0; k < n; ++k)
        x[k] = rows[(size_t)k * (size_t)(n + 1) + (size_t)n] /
               rows[(size_t)k * (size_t)(n + 1) + (size_t)k];
    free(rows);
    return x;
}

static void solve(int n, double *rows, double *received, double *x) {
    int p = bsp_nprocs(), me = bsp_pid();
    for (int k = 0; k < n; ++k) {
        int owner = k % p;
        double *pivot = owner == me ? rows + (size_t)(k / p) * (size_t)(n + 1) : received;
        for (int to = 0; owner == me && to < p; ++to)
            if (to != me)
                cbsp_send(to, received + k, pivot + k, (n + 1 - k) * (ptrdiff_t)sizeof(double),
                          NULL);
        end_superstep(owner != me);
        eliminate(rows, n, me, p, pivot, k);
    }
    double *row = rows;
    for (int i = me; i < n; i += p, row += n + 1) {
        double value = row[n] / row[i];
        cbsp_send(0, x + i, &value, sizeof value, NULL);
    }
    end_superstep(me == 0 ? n : 0);
}

int main(int argc, char **argv) {
    cbsp_initialize();
    read_arguments("gauss", 1024, 1, argc, argv);
    int n = app.size, equal = -1;
    double *rows = make_rows(n, bsp_pid(), bsp_nprocs());
    double *received = allocate(sizeof(double) * (size_t)(n + 1));
    double *x = allocate(sizeof(double) * (size_t)n);
    bsp_push_reg(received, (n + 1) * (ptrdiff_t)sizeof(double));
    bsp_push_reg(x, n * (ptrdiff_t)sizeof(double));
    start_clock();
    solve(n, rows, received, x);
    double seconds = bsp_time() - app.started;
    if (bsp_pid() == 0) {
        if (app.compare) {
            double *expected = solve_alone(n);
            equal = !memcmp(x, expected, sizeof(double) * (size_t)n);
            free(expected);
        }
        print_results(seconds, equal);
    }
    bsp_end();
    free(rows);
    free(received);
    free(x);
    return 0;
}
