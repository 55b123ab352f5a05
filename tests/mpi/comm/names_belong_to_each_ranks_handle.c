// MPI 5.0 section 7.8: "MPI_COMM_SET_NAME is a local (noncollective) operation, which only affects
// the name of the communicator as seen in the MPI process that made the MPI_COMM_SET_NAME call."
// Names are not copied by MPI_COMM_DUP; the predefined communicators have predefined names.
// ranks: 1 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char name[MPI_MAX_OBJECT_NAME], mine[MPI_MAX_OBJECT_NAME + 20];
    int length;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
    CHECK_EQUAL(length, strlen("MPI_COMM_WORLD"));
    MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
    CHECK(strcmp(name, "MPI_COMM_SELF") == 0);
    // "Passing MPI_COMM_NULL as comm will return the string "MPI_COMM_NULL"."
    MPI_Comm_get_name(MPI_COMM_NULL, name, &length);
    CHECK(strcmp(name, "MPI_COMM_NULL") == 0);
    MPI_Comm dup, second;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_get_name(dup, name, &length);
    CHECK_EQUAL(length, 0);
    CHECK_EQUAL(name[0], 0);
    sprintf(mine, "  of rank %d ", rank);
    MPI_Comm_set_name(dup, mine);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_get_name(dup, name, &length);
    CHECK(strcmp(name, mine) == 0);
    MPI_Comm_dup(dup, &second);
    MPI_Comm_get_name(second, name, &length);
    CHECK_EQUAL(length, 0);
    // The longest name; one that is too long is cut off or refused, never written past the end.
    memset(mine, 'x', sizeof mine);
    mine[MPI_MAX_OBJECT_NAME - 1] = 0;
    MPI_Comm_set_name(MPI_COMM_WORLD, mine);
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    CHECK_EQUAL(length, MPI_MAX_OBJECT_NAME - 1);
    CHECK(strcmp(name, mine) == 0);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&second);
    return finish();
}
