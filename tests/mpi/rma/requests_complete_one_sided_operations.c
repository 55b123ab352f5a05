// MPI 5.0 section 12.3.5: "Request-based RMA communication operations allow the user to associate a
// request handle with the RMA operations and test or wait for the completion of these requests".
// "It is valid to mix different request types (e.g., any combination of RMA requests, collective
// requests, I/O requests, generalized requests, or point-to-point requests) in functions that
// enable multiple completions (e.g., MPI_WAITALL)."
// ranks: 1 2 5
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, right = right_neighbour(), left = left_neighbour(), in = -1, token = rank,
                 flag = 0;
    int value = 5 + rank, got = -1, before[2] = {-1, -1}, two[2] = {2, 2};
    MPI_Win win = int_window(4, 1, &memory);
    MPI_Request requests[6];
    MPI_Status statuses[6];
    // "Request-based RMA operations are only valid within a passive target epoch".
    MPI_Win_fence(0, win);
    CHECK_ERROR(MPI_Rput(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win, requests),
                MPI_ERR_RMA_SYNC);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock_all(0, win);
    MPI_Irecv(&in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[1]);
    CHECK_SUCCESS(MPI_Rput(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win, &requests[2]));
    CHECK_SUCCESS(
        MPI_Raccumulate(two, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win, &requests[3]));
    CHECK_SUCCESS(MPI_Rget_accumulate(two, 2, MPI_INT, before, 2, MPI_INT, right, 2, 2, MPI_INT,
                                      MPI_PROD, win, &requests[4]));
    MPI_Win_flush(right, win); // the put is complete at the target
    CHECK_SUCCESS(MPI_Rget(&got, 1, MPI_INT, right, 0, 1, MPI_INT, win, &requests[5]));
    CHECK_SUCCESS(MPI_Waitall(6, requests, statuses));
    for (int i = 0; i < 6; ++i)
        CHECK(requests[i] == MPI_REQUEST_NULL);
    CHECK_EQUAL(in, left);
    CHECK_EQUAL(got, value);
    CHECK_EQUAL(before[0], 1);
    CHECK_EQUAL(before[1], 1);
    CHECK_SUCCESS(MPI_Rget(&got, 1, MPI_INT, right, 3, 1, MPI_INT, win, requests));
    while (!flag)
        CHECK_SUCCESS(MPI_Test(requests, &flag, statuses));
    CHECK_EQUAL(got, 2);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(memory[0], 5 + left);
    CHECK_EQUAL(memory[1], 3);
    CHECK_EQUAL(memory[2], 2);
    free_window(&win);
    return finish();
}
