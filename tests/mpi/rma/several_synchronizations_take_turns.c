// MPI 5.0 section 12.7: "One can change synchronization mode, or change the window used to access a
// location that belongs to two overlapping windows, when the MPI process memory and the window copy
// are guaranteed to have the same values."
// ranks: 1 2 5
#include "windows.h"

static MPI_Win wins[2];
static int *memory, value;
static MPI_Group others_group, self_group;

static void put_right(MPI_Win win) {
    CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, right_neighbour(), 0, 1, MPI_INT, win));
}

static void by_fence(MPI_Win win) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    put_right(win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void by_groups(MPI_Win win) {
    MPI_Win_post(others_group, 0, win);
    MPI_Win_start(self_group, 0, win);
    put_right(win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

static void by_lock(MPI_Win win) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right_neighbour(), 0, win);
    put_right(win);
    MPI_Win_unlock(right_neighbour(), win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_lock_all(MPI_Win win) {
    MPI_Win_lock_all(0, win);
    put_right(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    void (*ways[])(MPI_Win) = {by_fence, by_groups, by_lock, by_lock_all};
    int left = left_neighbour(), right = right_neighbour();
    others_group = group_of(1, &left);
    self_group = group_of(1, &right);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &wins[0]);
    // The same memory in two windows.
    MPI_Win_create(memory, sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &wins[1]);
    for (int round = 0; round < 64; ++round) {
        value = 1000 * round + rank;
        ways[round * 7 % 4](wins[round / 4 % 2]);
        CHECK_EQUAL(*memory, 1000 * round + left);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Group_free(&others_group);
    MPI_Group_free(&self_group);
    MPI_Win_free(&wins[1]);
    MPI_Win_free(&wins[0]);
    return finish();
}
