// MPI 5.0 section 12.2.4: "Memory at the target cannot be accessed with this window until that
// memory has been attached using the function MPI_WIN_ATTACH." "After memory has been detached, it
// may not be the target of an MPI RMA operation on that window (unless the memory is re-attached
// with MPI_WIN_ATTACH)."
// ranks: 1 2 4
#include "windows.h"

static MPI_Win win;
static MPI_Aint places[64][3]; // by rank

static void tell(int which, void *memory) {
    MPI_Aint mine;
    MPI_Get_address(memory, &mine);
    MPI_Aint all[64];
    MPI_Allgather(&mine, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r)
        places[r][which] = all[r];
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int right = right_neighbour(), value = rank + 1, got = 0;
    int first[100] = {0}, second[50] = {0};
    CHECK_SUCCESS(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    tell(0, first);
    tell(1, second);
    MPI_Win_lock_all(0, win);
    CHECK_ERROR(MPI_Put(&value, 1, MPI_INT, right, places[right][0], 1, MPI_INT, win),
                MPI_ERR_RMA_RANGE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Win_attach(win, first, sizeof first));
    CHECK_SUCCESS(MPI_Win_attach(win, second, sizeof second));
    MPI_Barrier(MPI_COMM_WORLD);
    // The effective window base is MPI_BOTTOM and the displacement unit is one.
    CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, right,
                          MPI_Aint_add(places[right][0], 99 * sizeof(int)), 1, MPI_INT, win));
    CHECK_SUCCESS(
        MPI_Accumulate(&value, 1, MPI_INT, right, places[right][1], 1, MPI_INT, MPI_SUM, win));
    MPI_Win_flush(right, win);
    CHECK_SUCCESS(MPI_Get(&got, 1, MPI_INT, right, MPI_Aint_add(places[right][0], 99 * sizeof(int)),
                          1, MPI_INT, win));
    MPI_Win_flush(right, win);
    CHECK_EQUAL(got, value);
    CHECK_ERROR(MPI_Put(first, 2, MPI_INT, right, MPI_Aint_add(places[right][0], 99 * sizeof(int)),
                        2, MPI_INT, win),
                MPI_ERR_RMA_RANGE); // its end is not attached
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(first[99], left_neighbour() + 1);
    CHECK_EQUAL(second[0], left_neighbour() + 1);
    CHECK_SUCCESS(MPI_Win_detach(win, second));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ERROR(MPI_Put(&value, 1, MPI_INT, right, places[right][1], 1, MPI_INT, win),
                MPI_ERR_RMA_RANGE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Win_attach(win, second, sizeof second));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, right, places[right][1], 1, MPI_INT, win));
    MPI_Win_unlock_all(win);
    // "Memory becomes detached when the associated dynamic memory window is freed".
    MPI_Win_free(&win);
    return finish();
}
