// MPI 5.0 section 12.3.4: "Accumulate origin_count elements of type origin_datatype from the origin
// buffer (origin_addr) to the buffer at offset target_disp, in the target window specified by
// target_rank and win, using the operator op and return in the result buffer result_addr the
// content of the target buffer before the accumulation".
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { count = 1000 };

    int *memory, mine[count], before[count + 1];
    MPI_Win win = int_window(count, 0, &memory);
    for (int i = 0; i < count; ++i) {
        memory[i] = i;
        mine[i] = 10;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right_neighbour(), 0, win);
    CHECK_SUCCESS(MPI_Get_accumulate(mine, count, MPI_INT, before, count, MPI_INT,
                                     right_neighbour(), 0, count, MPI_INT, MPI_SUM, win));
    MPI_Win_flush(right_neighbour(), win);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(before[i], i);
    // Fewer elements at the origin: the others are fetched only.
    CHECK_SUCCESS(MPI_Get_accumulate(mine, 2, MPI_INT, before, count, MPI_INT, right_neighbour(), 0,
                                     count, MPI_INT, MPI_SUM, win));
    MPI_Win_flush(right_neighbour(), win);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(before[i], i + 10);
    // Too little room for the result, or in the target: nothing is done.
    CHECK_ERROR(MPI_Get_accumulate(mine, 2, MPI_INT, before, 1, MPI_INT, right_neighbour(), 0, 2,
                                   MPI_INT, MPI_SUM, win),
                MPI_ERR_TRUNCATE);
    CHECK_ERROR(MPI_Get_accumulate(mine, 3, MPI_INT, before, 2, MPI_INT, right_neighbour(), 0, 2,
                                   MPI_INT, MPI_SUM, win),
                MPI_ERR_TRUNCATE);
    MPI_Win_unlock(right_neighbour(), win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(memory[i], i + (i < 2 ? 20 : 10));
    free_window(&win);
    return finish();
}
