// 16 MiB of zeros, a megabyte with values, and pointers into both.
// ranks: 8 64
#include "torture.h"

static double zeros[2 << 20];
static char more_zeros[3000][1000];
int values[1 << 18] = {[0] = 1, [131072] = 5, [(1 << 18) - 1] = 7};
static int places[3] = {5, 60000, 262143};
double *near_the_end = &zeros[(2 << 20) - 2];
int *in_the_middle = &values[131072];

__attribute__((noinline)) static double sum(const double *v, int n, int step) {
    double s = 0;
    for (int i = 0; i < n; i += step)
        s += v[i];
    return s;
}

int main(int argc, char **argv) {
    CHECK(values[0] == 1 && *in_the_middle == 5 && values[(1 << 18) - 1] == 7);
    CHECK(sum(zeros, 2 << 20, 65536) == 0 && *near_the_end == 0 && more_zeros[2999][999] == 0);
    int rank = start(&argc, &argv);
    for (int i = 0; i < 2 << 20; i += 65536)
        zeros[i] = rank;
    near_the_end[1] = rank + 1;
    for (int k = 0; k < 3; ++k)
        values[places[k]] += rank * (k + 1);
    *in_the_middle += rank;
    more_zeros[1500][rank] = (char)(rank + 1);
    let_others_run();
    CHECK(sum(zeros, 2 << 20, 65536) == 32. * rank && zeros[(2 << 20) - 1] == rank + 1);
    CHECK_EQUAL(values[5], rank);
    CHECK_EQUAL(values[60000], 2 * rank);
    CHECK_EQUAL(values[262143], 7 + 3 * rank);
    CHECK_EQUAL(values[131072], 5 + rank);
    int written = 0;
    for (int i = 0; i < 1000; ++i)
        written += more_zeros[1500][i] != 0;
    CHECK_EQUAL(written, 1);
    return finish();
}
