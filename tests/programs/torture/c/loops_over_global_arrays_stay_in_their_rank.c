// Loops as optimisers transform them: vectors, strided pointers, memset, memcpy, reductions,
// hoisted addresses.
// ranks: 8 64
#include "torture.h"

#include <string.h>

enum { N = 1000, SIDE = 20 };

static double a[N], b[N], c[N];
static int indices[N];
static float matrix[SIDE][SIDE], product[SIDE][SIDE];
static char bytes[N];
static int histogram[16];
static double *rows[SIDE];
static double *moving = a;
static long sums[3];

__attribute__((noinline)) static void triad(double *restrict x, const double *restrict y,
                                            double s) {
    for (int i = 0; i < N; ++i)
        x[i] = y[i] + s * c[i];
}

__attribute__((noinline)) static void multiply(void) {
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) {
            float s = 0;
            for (int k = 0; k < SIDE; ++k)
                s += matrix[i][k] * matrix[k][j];
            product[i][j] = s;
        }
}

__attribute__((noinline)) static void gather_and_count(void) {
    for (int i = 0; i < N; ++i) {
        ++histogram[bytes[i] & 15];
        b[indices[i]] = a[i];
        sums[i % 3] += indices[i];
    }
}

int main(int argc, char **argv) {
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 0 && indices[i] == 0 && bytes[i] == 0);
    CHECK(moving == a && !rows[SIDE - 1]);
    int rank = start(&argc, &argv);
    for (int i = 0; i < N; ++i)
        a[i] = rank, c[i] = i, indices[i] = (i * 7 + rank) % N;
    memset(bytes, rank, N);
    for (int i = 0; i < SIDE; ++i) {
        rows[i] = &a[i * SIDE];
        for (int j = 0; j < SIDE; ++j)
            matrix[i][j] = i == j ? (float)rank : 0;
    }
    let_others_run();
    triad(b, a, 2);
    multiply();
    let_others_run();
    for (int i = 0; i < N; ++i)
        CHECK(b[i] == rank + 2. * i);
    CHECK(product[7][7] == (float)(rank * rank) && product[7][8] == 0 && *rows[3] == rank);
    memcpy(a, b, sizeof a);
    gather_and_count();
    while (moving < a + N)
        *moving++ += 1;
    let_others_run();
    CHECK_EQUAL(histogram[rank & 15], N);
    CHECK_EQUAL(sums[0] + sums[1] + sums[2], N * (N - 1) / 2);
    CHECK(b[indices[500]] == rank + 1000 && a[500] == rank + 1001 && moving == a + N);
    return finish();
}
