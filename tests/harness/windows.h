// For whole-program tests of one-sided communication: windows of ints, with errors that return.
#ifndef THRUM_TESTS_WINDOWS_H
#define THRUM_TESTS_WINDOWS_H
#include "world.h"

#include <unistd.h>

// A window of `count` ints in each rank, all `value`, scaled by the size of an int.
static inline MPI_Win int_window(int count, int value, int **memory) {
    MPI_Win win;
    CHECK_SUCCESS(MPI_Win_allocate((MPI_Aint)sizeof(int) * count, (int)sizeof(int), MPI_INFO_NULL,
                                   MPI_COMM_WORLD, memory, &win));
    for (int i = 0; i < count; ++i)
        (*memory)[i] = value;
    CHECK_SUCCESS(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    MPI_Barrier(MPI_COMM_WORLD); // nobody writes before all are filled
    return win;
}

static inline void free_window(MPI_Win *win) {
    CHECK_SUCCESS(MPI_Win_free(win));
    CHECK(*win == MPI_WIN_NULL);
}

static inline int right_neighbour(void) {
    return (rank + 1) % size;
}

static inline int left_neighbour(void) {
    return (rank + size - 1) % size;
}

// The group of `count` ranks of MPI_COMM_WORLD.
static inline MPI_Group group_of(int count, const int ranks[]) {
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    CHECK_SUCCESS(MPI_Group_incl(world, count, ranks, &group));
    MPI_Group_free(&world);
    return group;
}

// Lets other ranks run for a moment, without a call of MPI.
static inline void rest(void) {
    usleep(2000);
}
#endif
