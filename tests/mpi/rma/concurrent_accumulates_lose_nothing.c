// MPI 5.0 section 12.7.1: "The outcome of concurrent accumulate operations to the same location
// with the same predefined datatype is as if the accumulate operations were done at that location
// in some serial order."
// ranks: 1 2 8
#include "windows.h"

// Single elements, long vectors and fetches of the same locations, of a type that no hardware adds
// at once; the window is not aligned for it.
int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { count = 3000, rounds = 20 };

    for (int shift = 0; shift < 2; ++shift) {
        char *memory;
        double *ones = malloc(count * sizeof(double)), *before = malloc(2 * count * sizeof(double));
        long double big = 1, old;
        MPI_Win win;
        MPI_Win_allocate((count + 4) * (MPI_Aint)sizeof(double), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                         &memory, &win);
        memset(memory, 0, (count + 4) * sizeof(double));
        for (int i = 0; i < count; ++i)
            ones[i] = 1;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock_all(0, win);
        for (int round = 0; round < rounds; ++round) {
            MPI_Accumulate(ones, count, MPI_DOUBLE, 0, shift, count, MPI_DOUBLE, MPI_SUM, win);
            for (int i = 0; i < count; i += 7)
                MPI_Fetch_and_op(ones, before + count + i, MPI_DOUBLE, 0, shift + 8 * i, MPI_SUM,
                                 win);
            MPI_Get_accumulate(ones, count / 2, MPI_DOUBLE, before, count / 2, MPI_DOUBLE, 0, shift,
                               count / 2, MPI_DOUBLE, MPI_SUM, win);
            MPI_Fetch_and_op(&big, &old, MPI_LONG_DOUBLE, 0, shift + 8 * (count + 1), MPI_SUM, win);
            MPI_Win_flush(0, win);
        }
        MPI_Win_unlock_all(win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            for (int i = 0; i < count; ++i) {
                double value;
                memcpy(&value, memory + shift + 8 * i, sizeof value);
                CHECK_EQUAL(value, rounds * size * (1 + (i % 7 == 0) + (i < count / 2)));
            }
            memcpy(&old, memory + shift + 8 * (count + 1), sizeof old);
            CHECK_EQUAL(old, rounds * size);
        }
        MPI_Win_free(&win);
        free(ones);
        free(before);
    }
    return finish();
}
