// MPI 5.0 section 11.8.3: "All of the spawned processes have the same MPI_COMM_WORLD. Their ranks
// in MPI_COMM_WORLD correspond directly to the order in which the commands are specified in
// MPI_COMM_SPAWN_MULTIPLE." Section 11.10.3: "If a process was spawned with
// MPI_COMM_SPAWN_MULTIPLE, MPI_APPNUM is the command number that generated the current process."
// ranks: 1 2
// ends: n + 6
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        CHECK_EQUAL(size, 6);
        int expected = rank < 1 ? 0 : rank < 3 ? 1 : 7, flag = 0, *number = NULL;
        CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag));
        CHECK(flag);
        CHECK_EQUAL(*number, expected);
        CHECK_EQUAL(argc, rank < 1 ? 1 : 2);
        if (argc > 1)
            CHECK(strcmp(argv[1], rank < 3 ? "middle" : "last") == 0);
        char maxprocs[8];
        int length = sizeof maxprocs;
        CHECK_SUCCESS(MPI_Info_get_string(MPI_INFO_ENV, "maxprocs", &length, maxprocs, &flag));
        CHECK(flag && atoi(maxprocs) == (rank < 1 ? 1 : rank < 3 ? 2 : 3));
        return part_from(&parent);
    }
    char *commands[] = {argv[0], argv[0], argv[0]};
    char *nothing[] = {NULL}, *middle[] = {"middle", NULL}, *last[] = {"last", NULL};
    char **arguments[] = {nothing, middle, last};
    int maxprocs[] = {1, 2, 3}, codes[6] = {-1, -1, -1, -1, -1, -1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL, MPI_INFO_NULL};
    CHECK_SUCCESS(MPI_Info_create(&infos[2]));
    CHECK_SUCCESS(MPI_Info_set(infos[2], "appnum", "7")); // section 11.10.3: overrides
    MPI_Comm children;
    // The arguments before the root are significant at the root only.
    int is_root = rank == size - 1;
    CHECK_SUCCESS(MPI_Comm_spawn_multiple(is_root ? 3 : -1, is_root ? commands : NULL,
                                          is_root ? arguments : NULL, is_root ? maxprocs : NULL,
                                          is_root ? infos : NULL, size - 1, MPI_COMM_WORLD,
                                          &children, codes));
    for (int i = 0; i < 6; ++i)
        CHECK_EQUAL(codes[i], MPI_SUCCESS);
    CHECK_SUCCESS(MPI_Info_free(&infos[2]));
    int remote;
    MPI_Comm_remote_size(children, &remote);
    CHECK_EQUAL(remote, 6);
    return part_from(&children);
}
