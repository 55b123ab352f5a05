// MPI 5.0 section 8.5.2: "The dimensions are set to be as close to each other as possible, using an
// appropriate divisibility algorithm." "For dims[i] set by the call, dims[i] will be ordered in
// nonincreasing order."
// ranks: 1
#include "world.h"

#include <time.h>

// The smallest difference between the largest and the smallest of `left` factors of n, each at most
// `limit`; -1: there are none.
static int best_spread(int n, int left, int largest, int limit) {
    if (left == 1)
        return n <= limit ? largest - n : -1;
    int best = -1;
    for (int f = 1; f <= limit && f <= n; ++f) {
        if (n % f != 0)
            continue;
        int spread = best_spread(n / f, left - 1, largest ? largest : f, f);
        if (spread >= 0 && (best < 0 || spread < best))
            best = spread;
    }
    return best;
}

static void check(int n, int ndims) {
    int dims[40] = {0}, product = 1;
    CHECK_SUCCESS(MPI_Dims_create(n, ndims, dims));
    for (int i = 0; i < ndims; ++i) {
        product *= dims[i];
        CHECK(i == 0 || dims[i] <= dims[i - 1]);
    }
    CHECK_EQUAL(product, n);
    if (n <= 400)
        CHECK_EQUAL(dims[0] - dims[ndims - 1], best_spread(n, ndims, ndims == 1 ? n : 0, n));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int ndims = 1; ndims <= 5; ++ndims)
        for (int n = 1; n <= 400; ++n)
            check(n, ndims);
    // Numbers with very many divisors, and with very few, are quick.
    int large[] = {2095133040, 1396755360, 2147483647, 1 << 30, 1073676289, 2147395600};
    clock_t begin = clock();
    for (int i = 0; i < 6; ++i)
        for (int ndims = 1; ndims <= 40; ++ndims)
            check(large[i], ndims);
    CHECK((clock() - begin) / CLOCKS_PER_SEC < 30); // of the processor
    int dims[3] = {0};                              // the well-known ones
    MPI_Dims_create(96, 3, dims);
    CHECK(dims[0] == 6 && dims[1] == 4 && dims[2] == 4);
    int some[4] = {0, 5, 0, 2};
    MPI_Dims_create(360, 4, some);
    CHECK(some[0] == 6 && some[1] == 5 && some[2] == 6 && some[3] == 2);
    return finish();
}
