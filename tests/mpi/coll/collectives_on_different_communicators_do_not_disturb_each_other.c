// MPI 5.0 sections 6.14 and 7.1.2: contexts separate communicators, also for collective operations.
// Rows and columns of a grid work at the same time, each at its own pace.
// ranks: 4 12 36
#include "world.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    int width = size == 4 ? 2 : size == 12 ? 4 : 6, height = size / width;
    int x = rank % width, y = rank / width;
    MPI_Comm row, column;
    MPI_Comm_split(MPI_COMM_WORLD, y, x, &row);
    MPI_Comm_split(MPI_COMM_WORLD, x, y, &column);
    for (int round = 0; round < 30; ++round) {
        // Row y does y % 3 + 1 operations each round: the rows drift apart between the columns'
        // ones.
        for (int i = 0; i <= y % 3; ++i) {
            int sum, value = x == i % width ? 1000 * y + round : -1;
            MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, row);
            CHECK_EQUAL(sum, width * (width - 1) / 2);
            MPI_Bcast(&value, 1, MPI_INT, i % width, row);
            CHECK_EQUAL(value, 1000 * y + round);
        }
        if (round % 10 == 0 && rank % 5 == 0)
            usleep(200);
        int before = -1, all[8];
        MPI_Exscan(&y, &before, 1, MPI_INT, MPI_SUM, column);
        CHECK_EQUAL(before, y == 0 ? -1 : y * (y - 1) / 2);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, column);
        for (int j = 0; j < height; ++j)
            CHECK_EQUAL(all[j], j * width + x);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    return finish();
}
