// MPI 5.0 section 12.3.4: "Each datatype argument must be a predefined datatype or a derived
// datatype, where all basic components are of the same predefined datatype. Both datatype arguments
// must be constructed from the same predefined datatype. The operator op applies to elements of
// that predefined type."
// ranks: 1 2 4
#include "windows.h"

enum { n = 40 };

// Every rank adds its rows to columns of rank 0's matrix.
static void columns(void) {
    long(*memory)[n], row[n];
    MPI_Win win;
    MPI_Datatype column;
    MPI_Type_vector(n, 1, n, MPI_LONG, &column);
    MPI_Type_commit(&column);
    MPI_Win_allocate(sizeof(long) * n * n, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    memset(memory, 0, sizeof(long) * n * n);
    MPI_Win_fence(0, win);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
            row[i] = 100 * i + j;
        CHECK_SUCCESS(MPI_Accumulate(row, n, MPI_LONG, 0, j, 1, column, MPI_SUM, win));
        MPI_Win_fence(0, win);
    }
    if (rank == 0)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                CHECK_EQUAL(memory[i][j], size * (100 * i + j));
    // A column is fetched into every second element, and the other way round.
    long spread[2 * n];
    MPI_Datatype second;
    MPI_Type_vector(n, 1, 2, MPI_LONG, &second);
    MPI_Type_commit(&second);
    for (int i = 0; i < 2 * n; ++i)
        spread[i] = -1;
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(
        MPI_Get_accumulate(NULL, 0, MPI_LONG, spread, 1, second, 0, 3, 1, column, MPI_NO_OP, win));
    MPI_Win_fence(0, win);
    for (int i = 0; i < 2 * n; ++i)
        CHECK_EQUAL(spread[i], i % 2 ? -1 : size * (100 * (i / 2) + 3));
    MPI_Type_free(&second);
    MPI_Type_free(&column);
    MPI_Win_free(&win);
}

// Pairs with gaps, at every second place; a pair is one element.
static void pairs(void) {
    typedef struct {
        double value;
        int index;
    } Pair;

    Pair *memory, mine[n];
    MPI_Win win;
    MPI_Datatype spread, dense;
    MPI_Type_vector(n, 1, 2, MPI_DOUBLE_INT, &spread);
    MPI_Type_contiguous(n, MPI_DOUBLE_INT, &dense);
    MPI_Type_commit(&spread);
    MPI_Type_commit(&dense);
    MPI_Win_allocate(sizeof(Pair) * 2 * n, sizeof(Pair), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    for (int i = 0; i < 2 * n; ++i)
        memory[i] = (Pair){1000, -1};
    for (int i = 0; i < n; ++i)
        mine[i] = (Pair){(rank * 7 + i) % 5, rank};
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Accumulate(mine, 1, dense, 0, 0, 1, spread, MPI_MINLOC, win));
    MPI_Win_fence(0, win);
    if (rank == 0)
        for (int i = 0; i < n; ++i) {
            Pair least = {1000, -1};
            for (int r = 0; r < size; ++r)
                if ((r * 7 + i) % 5 < least.value)
                    least = (Pair){(r * 7 + i) % 5, r};
            CHECK(memory[2 * i].value == least.value);
            CHECK_EQUAL(memory[2 * i].index, least.index);
            CHECK(memory[2 * i + 1].value == 1000 && memory[2 * i + 1].index == -1);
        }
    MPI_Type_free(&spread);
    MPI_Type_free(&dense);
    MPI_Win_free(&win);
}

// Two basic datatypes in one derived one are an error, and so are two different ones on both sides.
static void mixtures(void) {
    int *memory, data[4] = {0};
    MPI_Win win = int_window(8, 0, &memory);
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype types[] = {MPI_INT, MPI_FLOAT}, mixed;
    MPI_Type_create_struct(2, lengths, places, types, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Win_fence(0, win);
    CHECK_ERROR(MPI_Accumulate(data, 1, mixed, rank, 0, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Accumulate(data, 1, MPI_INT, rank, 0, 1, MPI_FLOAT, MPI_SUM, win),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Get_accumulate(data, 1, MPI_INT, data + 1, 1, MPI_FLOAT, rank, 0, 1, MPI_INT,
                                   MPI_SUM, win),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Fetch_and_op(data, data + 1, mixed, rank, 0, MPI_SUM, win), MPI_ERR_TYPE);
    // Nothing has no datatype that could be wrong.
    CHECK_SUCCESS(MPI_Accumulate(data, 0, MPI_BYTE, rank, 0, 0, MPI_BYTE, MPI_SUM, win));
    CHECK_SUCCESS(MPI_Put(data, 1, mixed, rank, 0, 1, mixed, win));
    MPI_Win_fence(0, win);
    MPI_Type_free(&mixed);
    free_window(&win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    columns();
    pairs();
    mixtures();
    return finish();
}
