// MPI 5.0 section 7.3.3: MPI_GROUP_FREE "marks a group object for deallocation"; MPI_COMM_GROUP
// gives a group with its own reference: it stays when the communicator is freed, and the other way
// round.
// ranks: 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm reversed, again;
    MPI_Group group;
    int number = -1;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_group(reversed, &group);
    MPI_Comm_free(&reversed);
    MPI_Group_rank(group, &number);
    CHECK_EQUAL(number, size - 1 - rank);
    MPI_Comm_create(MPI_COMM_WORLD, group, &again);
    MPI_Group_free(&group);
    MPI_Comm_rank(again, &number);
    CHECK_EQUAL(number, size - 1 - rank);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, again);
    CHECK_EQUAL(value, size - 1);
    MPI_Comm_free(&again);
    return finish();
}
