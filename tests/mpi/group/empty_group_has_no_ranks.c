// MPI 5.0 section 7.2.1: "MPI_GROUP_EMPTY, which is a valid handle to an empty group, should not be
// confused with MPI_GROUP_NULL, which in turn is an invalid handle."
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); // for calls without a communicator
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Group empty, world, result;
    int number = -1;
    CHECK_SUCCESS(MPI_Group_size(MPI_GROUP_EMPTY, &number));
    CHECK_EQUAL(number, 0);
    CHECK_SUCCESS(MPI_Group_rank(MPI_GROUP_EMPTY, &number));
    CHECK_EQUAL(number, MPI_UNDEFINED);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 0, NULL, &empty);
    CHECK(empty == MPI_GROUP_EMPTY);
    MPI_Group_excl(world, size, (int[]){1, 0}, &empty);
    CHECK(empty == MPI_GROUP_EMPTY);
    MPI_Group_union(MPI_GROUP_EMPTY, world, &result);
    MPI_Group_compare(result, world, &number);
    CHECK_EQUAL(number, MPI_IDENT);
    MPI_Group_free(&result);
    CHECK_ERROR(MPI_Group_size(MPI_GROUP_NULL, &number), MPI_ERR_GROUP);
    CHECK_ERROR(MPI_Group_incl(world, 2, (int[]){0, 0}, &result), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Group_incl(world, 1, &size, &result), MPI_ERR_RANK);
    MPI_Group_free(&world);
    return finish();
}
