// MPI 5.0 section 12.3.4: "This function compares one element of type datatype in the compare
// buffer compare_addr with the buffer at offset target_disp in the target window specified by
// target_rank and win and replaces the value at the target with the value in the origin buffer
// origin_addr if the compare buffer and the target buffer are identical. The original value at the
// target is returned in the buffer result_addr."
// ranks: 1 2 9
#include "windows.h"

static void compete(MPI_Datatype type) {
    int size_bytes, winners, won;
    MPI_Type_size(type, &size_bytes);
    unsigned char *memory, mine[16], nobody[16] = {0}, found[16];
    MPI_Win win;
    MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, 16);
    memset(mine, rank + 1, sizeof mine);
    memset(found, 255, sizeof found);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    CHECK_SUCCESS(MPI_Compare_and_swap(mine, nobody, found, type, 0, 0, win));
    MPI_Win_unlock_all(win);
    won = memcmp(found, nobody, (size_t)size_bytes) == 0;
    CHECK_EQUAL(found[size_bytes % 16 ? size_bytes : 0], size_bytes % 16 ? 255 : found[0]);
    MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(winners, 1);
    int winner = won ? rank : 0;
    MPI_Allreduce(MPI_IN_PLACE, &winner, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!won) // the others have found the winner's value
        CHECK_EQUAL(found[0], winner + 1);
    if (rank == 0) {
        CHECK_EQUAL(memory[size_bytes - 1], winner + 1);
        CHECK(size_bytes == 16 || memory[size_bytes] == 0);
    }
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype types[] = {MPI_INT,      MPI_LONG,      MPI_SHORT,        MPI_SIGNED_CHAR,
                            MPI_UNSIGNED, MPI_INT8_T,    MPI_UINT16_T,     MPI_INT64_T,
                            MPI_UINT64_T, MPI_INTEGER,   MPI_INTEGER8,     MPI_LOGICAL,
                            MPI_C_BOOL,   MPI_AINT,      MPI_OFFSET,       MPI_COUNT,
                            MPI_BYTE,     MPI_LONG_LONG, MPI_UNSIGNED_CHAR};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        compete(types[i]);
    // "The parameter datatype must belong to one of the following categories of predefined
    // datatypes: C integer, Fortran integer, Logical, Multi-language types, or Byte".
    int *memory;
    double x = 0, y = 0, z = 0;
    MPI_Win win = int_window(8, 0, &memory);
    MPI_Win_lock_all(0, win);
    CHECK_ERROR(MPI_Compare_and_swap(&x, &y, &z, MPI_DOUBLE, 0, 0, win), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Compare_and_swap(&x, &y, &z, MPI_2INT, 0, 0, win), MPI_ERR_TYPE);
    MPI_Win_unlock_all(win);
    free_window(&win);
    return finish();
}
