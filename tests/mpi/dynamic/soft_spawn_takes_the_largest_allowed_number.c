// MPI 5.0 section 11.8.4: soft: "Value specifies a set of numbers that are allowed values for the
// number of processes that MPI_COMM_SPAWN (et al.) may create. The format of the value is a
// comma-separated list of Fortran-90 triplets" "MPI will spawn the largest number of processes it
// can, consistent with some number in the set."
// ranks: 1
// ends: n + 23
#include "dynamic.h"

static void spawn_softly(char *program, const char *soft, int maxprocs, int expected) {
    MPI_Info info;
    MPI_Comm children;
    int codes[16], remote = -1;
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "soft", soft));
    CHECK_SUCCESS(
        MPI_Comm_spawn(program, MPI_ARGV_NULL, maxprocs, info, 0, MPI_COMM_SELF, &children, codes));
    CHECK_SUCCESS(MPI_Info_free(&info));
    MPI_Comm_remote_size(children, &remote);
    CHECK_EQUAL(remote, expected);
    int spawned = 0;
    for (int i = 0; i < maxprocs; ++i)
        spawned += codes[i] == MPI_SUCCESS;
    CHECK_EQUAL(spawned, expected);
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
}

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child())
        return part_from(&parent);
    spawn_softly(argv[0], "0:5", 5, 5);
    spawn_softly(argv[0], "1,2,4,8,16", 7, 4);
    spawn_softly(argv[0], "2:10000:2", 5, 4);
    spawn_softly(argv[0], "2:10:2,7", 7, 7);
    spawn_softly(argv[0], "9:1:-3", 5, 3);
    spawn_softly(argv[0], "-4:0", 3, 0);
    return finish();
}
