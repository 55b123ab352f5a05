// MPI 5.0 section 12.2.1: mpi_accumulate_granularity "provides a hint to implementations about the
// desired synchronization granularity for accumulate operations". "If specified, all MPI processes
// in the group of a window must supply the same value."
// ranks: 2 4
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { count = 2000 };

    const char *values[] = {"0", "1", "8", "100", "4096", "10000000"};
    for (int v = 0; v < 6; ++v) {
        double *memory, ones[count];
        MPI_Info info;
        MPI_Win win;
        MPI_Info_create(&info);
        MPI_Info_set(info, "mpi_accumulate_granularity", values[v]);
        CHECK_SUCCESS(
            MPI_Win_allocate(sizeof ones, sizeof(double), info, MPI_COMM_WORLD, &memory, &win));
        MPI_Info_free(&info);
        for (int i = 0; i < count; ++i) {
            memory[i] = 0;
            ones[i] = i;
        }
        MPI_Win_fence(0, win);
        for (int round = 0; round < 5; ++round)
            for (int target = 0; target < size; ++target)
                MPI_Accumulate(ones, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, MPI_SUM, win);
        MPI_Win_fence(0, win);
        for (int i = 0; i < count; ++i)
            CHECK(memory[i] == 5.0 * size * i);
        MPI_Win_free(&win);
    }
    // Different values are found out, by everybody.
    int *memory;
    MPI_Info info;
    MPI_Win win = MPI_WIN_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_accumulate_granularity", rank == 1 ? "8" : "16");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Win_allocate(8, 1, info, MPI_COMM_WORLD, &memory, &win), MPI_ERR_INFO_VALUE);
    MPI_Info_free(&info);
    return finish();
}
