// MPI 5.0 section 12.3.1: int MPI_Put_c(const void *origin_addr, MPI_Count origin_count,
// MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count,
// MPI_Datatype target_datatype, MPI_Win win), and so for the other operations and for displacement
// units.
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, x[4] = {1, 2, 3, 4}, y[4] = {0}, right = right_neighbour();
    static int created[4];
    MPI_Win win, other, shared;
    MPI_Request requests[4];
    CHECK_SUCCESS(MPI_Win_allocate_c(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    CHECK_SUCCESS(MPI_Win_create_c(created, 16, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &other));
    memset(memory, 0, 16);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    CHECK_SUCCESS(MPI_Put_c(x, 4, MPI_INT, right, 0, 4, MPI_INT, win));
    MPI_Win_flush(right, win);
    CHECK_SUCCESS(MPI_Get_c(y, 4, MPI_INT, right, 0, 4, MPI_INT, win));
    MPI_Win_flush(right, win);
    CHECK_EQUAL(memcmp(x, y, 16), 0);
    CHECK_SUCCESS(MPI_Accumulate_c(x, 4, MPI_INT, right, 0, 4, MPI_INT, MPI_SUM, win));
    CHECK_SUCCESS(
        MPI_Get_accumulate_c(x, 4, MPI_INT, y, 4, MPI_INT, right, 0, 4, MPI_INT, MPI_SUM, win));
    MPI_Win_flush(right, win);
    CHECK_EQUAL(y[3], 8);
    CHECK_SUCCESS(MPI_Rput_c(x, 1, MPI_INT, right, 0, 1, MPI_INT, win, &requests[0]));
    CHECK_SUCCESS(MPI_Rget_c(y, 1, MPI_INT, right, 3, 1, MPI_INT, win, &requests[1]));
    CHECK_SUCCESS(
        MPI_Raccumulate_c(x, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win, &requests[2]));
    CHECK_SUCCESS(MPI_Rget_accumulate_c(x, 1, MPI_INT, y + 1, 1, MPI_INT, right, 2, 1, MPI_INT,
                                        MPI_SUM, win, &requests[3]));
    CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(y[0], 12);
    CHECK_EQUAL(y[1], 9);
    MPI_Win_unlock(right, win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(memory[0], 1);
    CHECK_EQUAL(memory[1], 7);
    CHECK_EQUAL(memory[2], 10);
    MPI_Win_fence(0, other);
    CHECK_SUCCESS(MPI_Put_c(x, 2, MPI_INT, right, 1, 2, MPI_INT, other));
    MPI_Win_fence(0, other);
    CHECK_EQUAL(created[2], 1);
    CHECK_EQUAL(created[3], 2);
    CHECK_SUCCESS(
        MPI_Win_allocate_shared_c(64, 64, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &shared));
    MPI_Win_free(&shared);
    MPI_Win_free(&other);
    MPI_Win_free(&win);
    return finish();
}
