// MPI 5.0 section 11.8.3: MPI_COMM_SPAWN_MULTIPLE "is identical to MPI_COMM_SPAWN except that there
// are multiple executable specifications." The specifications may all be the same program, and that
// may be running already.
// ranks: 1
// ends: n + 66
// modes: fibers-1 fibers-2 os-threads
#include "dynamic.h"

static MPI_Comm spawn_twice(char *program, int count) {
    char *commands[] = {program, program};
    int maxprocs[] = {count, count};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm children;
    CHECK_SUCCESS(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, maxprocs, infos, 0,
                                          MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE));
    return children;
}

int main(int argc, char **argv) {
    static int initial = 4711; // of each image
    start_family(&argc, &argv);
    CHECK_EQUAL(initial, 4711);
    initial = rank;
    if (is_child()) {
        MPI_Barrier(parent);
        return part_from(&parent);
    }
    MPI_Comm children[3];
    const int counts[] = {20, 1, 45};
    children[0] = spawn_twice(argv[0], counts[0] / 2);
    children[1] = spawn_self(argv[0], "child", counts[1]);
    children[2] = spawn_self(argv[0], "child", counts[2]);
    for (int i = 0; i < 3; ++i) {
        int remote;
        CHECK_SUCCESS(MPI_Comm_remote_size(children[i], &remote));
        CHECK_EQUAL(remote, counts[i]);
        MPI_Barrier(children[i]);
        CHECK_SUCCESS(MPI_Comm_disconnect(&children[i]));
    }
    return finish();
}
