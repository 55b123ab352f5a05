// MPI 5.0 section 12.5: "There is a one-to-one matching between access epochs at origin processes
// and exposure epochs on target processes: RMA operations issued by an origin process for a target
// window will access that target window during the same exposure epoch if and only if they were
// issued during the same access epoch."
// ranks: 2 5
#include "windows.h"

// Rank 0 exposes its window to one origin after the other and sees that nobody else has been there;
// the origins are all ready long before.
int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { rounds = 20 };

    int *memory, zero = 0;
    MPI_Win win = int_window(size, 0, &memory);
    MPI_Group target = group_of(1, &zero);
    for (int round = 1; round <= rounds; ++round) {
        if (rank != 0) {
            int value = round;
            CHECK_SUCCESS(MPI_Win_start(target, 0, win));
            CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win));
            CHECK_SUCCESS(MPI_Win_complete(win));
            continue;
        }
        for (int origin = size - 1; origin > 0; --origin) {
            for (int r = 1; r < size; ++r)
                CHECK_EQUAL(memory[r], r > origin ? round : round - 1);
            MPI_Group only = group_of(1, &origin);
            CHECK_SUCCESS(MPI_Win_post(only, 0, win));
            MPI_Group_free(&only);
            CHECK_SUCCESS(MPI_Win_wait(win));
        }
    }
    MPI_Group_free(&target);
    free_window(&win);
    return finish();
}
