// Cannon's algorithm: C = A B on a square grid of ranks. Blocks are shifted round rows and columns
// by buffered sends; rows and columns are communicators made by MPI_Comm_split.
// ranks: 1 4 16 64
#include "world.h"

#include <math.h>

enum { kSide = 48 };

static double of_a(int i, int j) {
    return (i * 7 + j * 3) % 11 - 5;
}

static double of_b(int i, int j) {
    return (i * 5 + j * 13) % 17 - 8;
}

static void shift(double *block, int cells, int distance, MPI_Comm line) {
    int place, length;
    MPI_Comm_rank(line, &place);
    MPI_Comm_size(line, &length);
    int to = ((place - distance) % length + length) % length, from = (place + distance) % length;
    CHECK_SUCCESS(MPI_Bsend(block, cells, MPI_DOUBLE, to, distance, line));
    CHECK_SUCCESS(MPI_Recv(block, cells, MPI_DOUBLE, from, distance, line, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int grid = (int)lround(sqrt((double)size));
    CHECK(grid * grid == size && kSide % grid == 0);
    int side = kSide / grid, cells = side * side, row = rank / grid, column = rank % grid;
    MPI_Comm row_line, column_line;
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, row, column, &row_line));
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, column, row, &column_line));
    double *a = malloc((size_t)cells * sizeof *a), *b = malloc((size_t)cells * sizeof *b);
    double *c = calloc((size_t)cells, sizeof *c);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            a[i * side + j] = of_a(row * side + i, column * side + j);
            b[i * side + j] = of_b(row * side + i, column * side + j);
        }
    int room = 2 * (cells * (int)sizeof(double) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)room), *detached;
    CHECK_SUCCESS(MPI_Buffer_attach(buffer, room));
    shift(a, cells, row, row_line);
    shift(b, cells, column, column_line);
    CHECK_SUCCESS(MPI_Buffer_flush()); // there is room for two blocks only
    for (int step = 0; step < grid; ++step) {
        for (int i = 0; i < side; ++i)
            for (int k = 0; k < side; ++k)
                for (int j = 0; j < side; ++j)
                    c[i * side + j] += a[i * side + k] * b[k * side + j];
        shift(a, cells, 1, row_line);
        shift(b, cells, 1, column_line);
        CHECK_SUCCESS(MPI_Buffer_flush());
    }
    CHECK_SUCCESS(MPI_Buffer_detach(&detached, &room));
    CHECK(detached == buffer);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            double expected = 0;
            for (int k = 0; k < kSide; ++k)
                expected += of_a(row * side + i, k) * of_b(k, column * side + j);
            CHECK(c[i * side + j] == expected); // whole numbers: no rounding
        }
    free(buffer);
    free(a);
    free(b);
    free(c);
    CHECK_SUCCESS(MPI_Comm_free(&row_line));
    CHECK_SUCCESS(MPI_Comm_free(&column_line));
    return finish();
}
