// MPI 5.0 section 12.3: "The calls use general datatype arguments to specify communication buffers
// at the origin and at the target. Thus, a transfer operation may also gather data at the source
// and scatter it at the destination. However, all arguments specifying both communication buffers
// are provided by the caller."
// ranks: 1 2 4
#include "windows.h"

enum { n = 24 };

// A row of the origin becomes a column of the target, and back again by a get.
static void rows_and_columns(MPI_Win win, double (*memory)[n]) {
    MPI_Datatype column;
    MPI_Type_vector(n, 1, n, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double row[n], back[n][n];
    int right = right_neighbour();
    MPI_Win_fence(0, win);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
            row[i] = 10000 * rank + 100 * i + j;
        CHECK_SUCCESS(MPI_Put(row, n, MPI_DOUBLE, right, j, 1, column, win));
        MPI_Win_fence(0, win);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            CHECK(memory[i][j] == 10000 * left_neighbour() + 100 * i + j);
    for (int j = 0; j < n; ++j) // transposed: column j of the target into column n-1-j here
        CHECK_SUCCESS(MPI_Get(&back[0][n - 1 - j], 1, column, right, j, 1, column, win));
    // "Once an RMA procedure call returns, it is safe to free any opaque objects passed as
    // arguments to that procedure."
    MPI_Type_free(&column);
    MPI_Win_fence(0, win);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            CHECK(back[i][n - 1 - j] == 10000 * rank + 100 * i + j);
}

// Different irregular layouts with the same type signature.
static void irregular(MPI_Win win, double (*memory)[n]) {
    int lengths[] = {3, 1, 4}, here[] = {0, 7, 9}, there[] = {20, 5, 11};
    MPI_Datatype from, to;
    MPI_Type_indexed(3, lengths, here, MPI_DOUBLE, &from);
    MPI_Type_indexed(3, lengths, there, MPI_DOUBLE, &to);
    MPI_Type_commit(&from);
    MPI_Type_commit(&to);
    double data[16];
    for (int i = 0; i < 16; ++i)
        data[i] = 100 + i;
    memset(memory, 0, sizeof(double) * n * n);
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Put(data, 1, from, right_neighbour(), 0, 1, to, win));
    MPI_Win_fence(0, win);
    double *flat = &memory[0][0];
    double expected[n] = {0};
    for (int b = 0; b < 3; ++b)
        for (int i = 0; i < lengths[b]; ++i)
            expected[there[b] + i] = 100 + here[b] + i;
    for (int i = 0; i < n; ++i)
        CHECK(flat[i] == expected[i]);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
    MPI_Win_fence(0, win);
}

// A negative lower bound lies in the window if the displacement moves it there.
static void negative_bounds(MPI_Win win, double (*memory)[n]) {
    int length = 2;
    MPI_Aint place = -16;
    MPI_Datatype before;
    double pair[2] = {1.5, 2.5};
    MPI_Type_create_hindexed(1, &length, &place, MPI_DOUBLE, &before);
    MPI_Type_commit(&before);
    MPI_Win_fence(0, win);
    CHECK_ERROR(MPI_Put(pair, 2, MPI_DOUBLE, rank, 1, 1, before, win), MPI_ERR_RMA_RANGE);
    CHECK_SUCCESS(MPI_Put(pair, 2, MPI_DOUBLE, rank, 2, 1, before, win));
    MPI_Win_fence(0, win);
    CHECK(memory[0][0] == 1.5 && memory[0][1] == 2.5);
    MPI_Type_free(&before);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    double(*memory)[n];
    MPI_Win win;
    MPI_Win_allocate(sizeof(double) * n * n, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    rows_and_columns(win, memory);
    irregular(win, memory);
    negative_bounds(win, memory);
    MPI_Win_free(&win);
    return finish();
}
