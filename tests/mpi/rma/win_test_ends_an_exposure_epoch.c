// MPI 5.0 section 12.5.2: "Repeated calls to MPI_WIN_TEST with the same win argument will
// eventually return flag = true once all accesses to the local window by the group to which it was
// exposed by the corresponding call to MPI_WIN_POST have been completed as indicated by matching
// MPI_WIN_COMPLETE calls, and flag = false otherwise."
// ranks: 2 4
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, zero = 0;
    MPI_Win win = int_window(size, 0, &memory);
    if (rank == 0) {
        int others[64], flag = -1;
        for (int i = 1; i < size; ++i)
            others[i - 1] = i;
        MPI_Group origins = group_of(size - 1, others);
        CHECK_SUCCESS(MPI_Win_post(origins, 0, win));
        CHECK_SUCCESS(MPI_Win_test(win, &flag));
        CHECK_EQUAL(flag, 0); // they wait for the barrier
        MPI_Barrier(MPI_COMM_WORLD);
        while (!flag)
            CHECK_SUCCESS(MPI_Win_test(win, &flag));
        CHECK_EQUAL(flag, 1);
        for (int i = 1; i < size; ++i)
            CHECK_EQUAL(memory[i], i * i);
        // "Once the call has returned flag = true, it must not be called again, until the window is
        // posted again."
        CHECK_ERROR(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
        MPI_Group_free(&origins);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        int square = rank * rank;
        MPI_Group target = group_of(1, &zero);
        CHECK_SUCCESS(MPI_Win_start(target, 0, win));
        CHECK_SUCCESS(MPI_Put(&square, 1, MPI_INT, 0, rank, 1, MPI_INT, win));
        CHECK_SUCCESS(MPI_Win_complete(win));
        MPI_Group_free(&target);
    }
    free_window(&win);
    return finish();
}
