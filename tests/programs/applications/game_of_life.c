// Conway's game of life on a torus, in blocks of rows. Edges travel by nonblocking messages while
// the inner rows are computed. A glider has moved by one cell in each direction after four
// generations; everything else is compared with a serial run.
// ranks: 1 4 16 64
#include "world.h"

enum { kRows = 64, kColumns = 40, kGenerations = 64 };

typedef unsigned char Row[kColumns];

static unsigned char next_state(const Row *above, const Row *here, const Row *below, int j) {
    int left = (j + kColumns - 1) % kColumns, right = (j + 1) % kColumns;
    int neighbours = (*above)[left] + (*above)[j] + (*above)[right] + (*here)[left] +
                     (*here)[right] + (*below)[left] + (*below)[j] + (*below)[right];
    return neighbours == 3 || (neighbours == 2 && (*here)[j]);
}

static void begin(Row *world) {
    static const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    memset(world, 0, kRows * sizeof *world);
    for (int i = 0; i < 5; ++i)
        world[glider[i][0] + 3][glider[i][1] + 3] = 1;
    unsigned int state = 12345;
    for (int i = kRows / 2; i < kRows; ++i)
        for (int j = 0; j < kColumns / 2; ++j) {
            state = state * 1103515245u + 12345u;
            world[i][j] = state >> 16 & 1;
        }
}

static void alone(Row *world) {
    static Row next[kRows];
    begin(world);
    for (int generation = 0; generation < kGenerations; ++generation) {
        for (int i = 0; i < kRows; ++i)
            for (int j = 0; j < kColumns; ++j)
                next[i][j] = next_state(&world[(i + kRows - 1) % kRows], &world[i],
                                        &world[(i + 1) % kRows], j);
        memcpy(world, next, sizeof next);
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK(kRows % size == 0);
    int rows = kRows / size, above = (rank + size - 1) % size, below = (rank + 1) % size;
    static Row world[kRows], now[kRows + 2], next[kRows + 2];
    begin(world);
    memcpy(now[1], world[rank * rows], (size_t)rows * sizeof *now);
    for (int generation = 0; generation < kGenerations; ++generation) {
        MPI_Request requests[4];
        MPI_Irecv(now[0], kColumns, MPI_UNSIGNED_CHAR, above, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(now[rows + 1], kColumns, MPI_UNSIGNED_CHAR, below, 1, MPI_COMM_WORLD,
                  &requests[1]);
        MPI_Isend(now[rows], kColumns, MPI_UNSIGNED_CHAR, below, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(now[1], kColumns, MPI_UNSIGNED_CHAR, above, 1, MPI_COMM_WORLD, &requests[3]);
        for (int i = 2; i < rows; ++i)
            for (int j = 0; j < kColumns; ++j)
                next[i][j] = next_state(&now[i - 1], &now[i], &now[i + 1], j);
        CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
        for (int i = 1; i <= rows; i += rows > 1 ? rows - 1 : 1)
            for (int j = 0; j < kColumns; ++j)
                next[i][j] = next_state(&now[i - 1], &now[i], &now[i + 1], j);
        memcpy(now[1], next[1], (size_t)rows * sizeof *now);
    }
    static Row expected[kRows], gathered[kRows];
    alone(expected);
    CHECK(memcmp(now[1], expected[rank * rows], (size_t)rows * sizeof *now) == 0);
    CHECK_SUCCESS(MPI_Gather(now[1], rows * kColumns, MPI_UNSIGNED_CHAR, gathered, rows * kColumns,
                             MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD));
    if (rank == 0)
        CHECK(memcmp(gathered, expected, sizeof expected) == 0);
    return finish();
}
