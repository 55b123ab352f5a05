// MPI 5.0 section 3.5 leaves a program that waits for ever to itself; here parents and children
// that all wait are found and named, each by its number in the job.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 4 ranks are blocked
// expect: ranks 0-3: MPI_Recv from the same rank of the other group, tag 9
// expect: ranks 2-3 were spawned: ranks 0-1 of .*a_deadlock_with_children_is_reported
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    int nothing;
    MPI_Comm other = is_child() ? parent : spawn_self(argv[0], "child", 2);
    MPI_Recv(&nothing, 1, MPI_INT, rank, 9, other, MPI_STATUS_IGNORE);
    return finish();
}
