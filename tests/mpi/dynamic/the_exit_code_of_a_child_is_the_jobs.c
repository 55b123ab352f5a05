// MPI 5.0 section 11.2.2: "in a POSIX environment, users may desire to supply an exit code for each
// process that returns from MPI_FINALIZE": that of a child counts like any other.
// ranks: 1
// exit: 5
// expect: parent has ended
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        part_from(&parent);
        return rank == 1 ? 5 : 0;
    }
    MPI_Comm children = spawn_self(argv[0], "child", 3);
    part_from(&children);
    printf("parent has ended\n");
    return 0;
}
