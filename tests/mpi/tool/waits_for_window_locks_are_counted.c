// MPI 5.0 section 15.3.7: "A performance variable in this class counts the number of occurrences
// of a specific event"
// ranks: 2 4
#include "variables.h"

// Rank 0 holds the lock until all the others have had to wait, as far as it can know: they tell it
// before they ask. One that comes too late is given another chance.
int main(void) {
    start(NULL, NULL);
    start_tools();
    int *memory, all_waited = 0;
    MPI_Win win;
    CHECK_SUCCESS(
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    MPI_T_pvar_handle waits = counted("rma_lock_waits", MPI_T_PVAR_CLASS_COUNTER, NULL);
    for (int round = 0; !all_waited; ++round) {
        CHECK(round < 1000);
        if (rank == 0)
            CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        if (rank == 0) {
            for (int i = 1; i < size; ++i)
                CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (double begin = MPI_Wtime(); MPI_Wtime() < begin + 1e-3;)
                CHECK_SUCCESS(MPI_Win_sync(win)); // lets the others run
            CHECK_SUCCESS(MPI_Win_unlock(0, win));
        } else {
            CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
            CHECK_SUCCESS(MPI_Win_unlock(0, win));
        }
        int waited = rank == 0 || value_of(waits) > 0;
        CHECK(value_of(waits) <= (unsigned long long)round + 1);
        CHECK_SUCCESS(MPI_Allreduce(&waited, &all_waited, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    }
    CHECK(rank != 0 || value_of(waits) == 0);
    // Nobody waits for shared ones.
    unsigned long long before = value_of(waits);
    for (int i = 0; i < 10; ++i) {
        CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        CHECK_SUCCESS(MPI_Win_unlock(0, win));
    }
    CHECK_EQUAL(value_of(waits), before);
    CHECK_SUCCESS(MPI_Win_free(&win));
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return finish();
}
