// ranks: 8
// C11 7.22.2.2: with the same seed "the sequence of pseudo-random numbers shall be repeated";
// another rank's calls in between are calls of another process. The first numbers are those of
// glibc.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    static const int glibc[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
    int rank, mine[50], copy[50];
    double d[20];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; ++i) {
        CHECK_EQUAL(rand(), glibc[i]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    srand(100 + rank);
    srand48(100 + rank);
    for (int i = 0; i < 50; ++i) {
        mine[i] = i % 2 ? rand() : (int)random();
        if (i < 20)
            d[i] = drand48();
        if (i % 10 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    struct random_data data = {0};
    char table[128];
    initstate_r(100 + rank, table, sizeof table, &data);
    for (int i = 0; i < 50; ++i) {
        random_r(&data, &copy[i]);
        CHECK_EQUAL(mine[i], copy[i]);
    }
    struct drand48_data data48 = {0};
    srand48_r(100 + rank, &data48);
    for (int i = 0; i < 20; ++i) {
        double again;
        drand48_r(&data48, &again);
        CHECK(d[i] == again);
    }
    unsigned short x[3] = {1, 2, (unsigned short)rank}, y[3] = {1, 2, (unsigned short)rank};
    long a = nrand48(x), b;
    nrand48_r(y, &data48, &b);
    CHECK_EQUAL(a, b);
    static char other[64];
    char *old = initstate(5, other, sizeof other);
    CHECK(old != NULL);
    int first = rand();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(setstate(old) == other);
    CHECK(setstate(other) == old);
    MPI_Barrier(MPI_COMM_WORLD);
    srandom(5);
    CHECK_EQUAL(rand(), first);
    MPI_Finalize();
    return 0;
}
