// A Jacobi iteration for the Laplace equation on a square. The ranks are a grid of blocks; edges
// are exchanged by MPI_Sendrecv, columns as vector datatypes, with MPI_PROC_NULL outside. Each rank
// checks its block against the same iteration done alone.
// ranks: 1 4 12 64
#include "world.h"

#include <math.h>

enum { kSide = 48, kSteps = 60 };

static double edge(int row, int column) {
    return row == 0 ? sin(column * 0.1) : column == 0 ? row * 0.05 : 1.0;
}

// The whole square by one rank; the result is in `field`.
static void alone(double (*field)[kSide + 2]) {
    static double next[kSide + 2][kSide + 2];
    for (int i = 0; i < kSide + 2; ++i)
        for (int j = 0; j < kSide + 2; ++j)
            field[i][j] = i % (kSide + 1) == 0 || j % (kSide + 1) == 0 ? edge(i, j) : 0;
    memcpy(next, field, sizeof next);
    for (int step = 0; step < kSteps; ++step) {
        for (int i = 1; i <= kSide; ++i)
            for (int j = 1; j <= kSide; ++j)
                next[i][j] =
                    0.25 * (field[i - 1][j] + field[i + 1][j] + field[i][j - 1] + field[i][j + 1]);
        memcpy(field, next, sizeof next);
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int rows = (int)sqrt((double)size);
    while (size % rows)
        --rows;
    int columns = size / rows, row = rank / columns, column = rank % columns;
    CHECK(kSide % rows == 0 && kSide % columns == 0);
    int height = kSide / rows, width = kSide / columns, stride = width + 2;
    int north = row > 0 ? rank - columns : MPI_PROC_NULL;
    int south = row < rows - 1 ? rank + columns : MPI_PROC_NULL;
    int west = column > 0 ? rank - 1 : MPI_PROC_NULL;
    int east = column < columns - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Datatype column_type;
    CHECK_SUCCESS(MPI_Type_vector(height, 1, stride, MPI_DOUBLE, &column_type));
    CHECK_SUCCESS(MPI_Type_commit(&column_type));

    size_t cells = (size_t)(height + 2) * (size_t)stride;
    double *now = calloc(cells, sizeof *now), *next = calloc(cells, sizeof *next);
    for (int i = 0; i < height + 2; ++i)
        for (int j = 0; j < width + 2; ++j) {
            int gi = row * height + i, gj = column * width + j;
            if (gi % (kSide + 1) == 0 || gj % (kSide + 1) == 0)
                now[i * stride + j] = next[i * stride + j] = edge(gi, gj);
        }
    double change = 0, change_before = 1e9;
    for (int step = 0; step < kSteps; ++step) {
        MPI_Sendrecv(&now[stride + 1], width, MPI_DOUBLE, north, 0, &now[(height + 1) * stride + 1],
                     width, MPI_DOUBLE, south, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now[height * stride + 1], width, MPI_DOUBLE, south, 1, &now[1], width,
                     MPI_DOUBLE, north, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now[stride + 1], 1, column_type, west, 2, &now[stride + width + 1], 1,
                     column_type, east, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now[stride + width], 1, column_type, east, 3, &now[stride], 1, column_type,
                     west, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double largest = 0;
        for (int i = 1; i <= height; ++i)
            for (int j = 1; j <= width; ++j) {
                int at = i * stride + j;
                next[at] = 0.25 * (now[at - stride] + now[at + stride] + now[at - 1] + now[at + 1]);
                largest = fmax(largest, fabs(next[at] - now[at]));
            }
        double *swap = now;
        now = next;
        next = swap;
        CHECK_SUCCESS(MPI_Allreduce(&largest, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
        CHECK(change <= change_before); // the iteration is a contraction
        change_before = change;
    }
    static double whole[kSide + 2][kSide + 2];
    alone(whole);
    for (int i = 1; i <= height; ++i)
        for (int j = 1; j <= width; ++j)
            CHECK(now[i * stride + j] == whole[row * height + i][column * width + j]);
    free(now);
    free(next);
    CHECK_SUCCESS(MPI_Type_free(&column_type));
    return finish();
}
