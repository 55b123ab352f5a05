// MPI 5.0 section 11.10.1: "MPI provides an attribute on MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, that
// allows the application to obtain this information in a portable manner. This attribute indicates
// the total number of processes that are expected." "If defined, it has the same value on all
// processes of MPI_COMM_WORLD."
// ranks: 2
// ends: n + 3
// options: --universe-size 5
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    int flag = 0, *universe = NULL;
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag));
    CHECK(flag);
    CHECK_EQUAL(*universe, 5);
    if (is_child())
        return part_from(&parent);
    MPI_Comm children = spawn_self(argv[0], "child", *universe - size);
    return part_from(&children);
}
