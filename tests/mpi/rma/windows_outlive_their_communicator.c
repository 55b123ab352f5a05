// MPI 5.0 section 12.2.6: MPI_WIN_GET_GROUP "returns in group a duplicate of the group of the
// communicator used to create the window associated with win."
// ranks: 1 2 5
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm reversed;
    MPI_Group of_comm, of_win;
    MPI_Win win;
    int value = rank, result, my_rank, *memory;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_group(reversed, &of_comm);
    MPI_Comm_rank(reversed, &my_rank);
    MPI_Win_allocate(sizeof(int) * size, sizeof(int), MPI_INFO_NULL, reversed, &memory, &win);
    MPI_Comm_free(&reversed);
    CHECK_SUCCESS(MPI_Win_get_group(win, &of_win));
    MPI_Group_compare(of_comm, of_win, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    MPI_Group_free(&of_win);
    MPI_Group_free(&of_comm);
    MPI_Win_fence(0, win);
    for (int target = 0; target < size; ++target)
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, target, my_rank, 1, MPI_INT, win));
    MPI_Win_fence(0, win);
    for (int origin = 0; origin < size; ++origin)
        CHECK_EQUAL(memory[origin], size - 1 - origin);
    MPI_Win_free(&win);
    return finish();
}
