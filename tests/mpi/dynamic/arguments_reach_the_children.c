// MPI 5.0 section 11.8.2: "argv[1] of main corresponds to argv[0] in MPI_COMM_SPAWN, argv[2] of
// main to argv[1] of MPI_COMM_SPAWN, etc. Passing an argv of MPI_ARGV_NULL to MPI_COMM_SPAWN
// results in main receiving argc of 1 and an argv whose element 0 is (conventionally) the name of
// the program."
// ranks: 1
// ends: n + 4
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        int expected = -1;
        CHECK_SUCCESS(MPI_Bcast(&expected, 1, MPI_INT, 0, parent));
        CHECK_EQUAL(argc, expected);
        CHECK(strstr(argv[0], "arguments_reach_the_children"));
        CHECK(argv[argc] == NULL);
        if (argc > 1) {
            CHECK(strcmp(argv[1], "-gridfile") == 0);
            CHECK(strcmp(argv[2], "ocean 1.grd") == 0);
            CHECK(strcmp(argv[3], "") == 0);
        }
        return part_from(&parent);
    }
    char *arguments[] = {"-gridfile", "ocean 1.grd", "", NULL};
    for (int with = 0; with < 2; ++with) {
        MPI_Comm children;
        CHECK_SUCCESS(MPI_Comm_spawn(argv[0], with ? arguments : MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0,
                                     MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE));
        int expected = with ? 4 : 1;
        CHECK_SUCCESS(MPI_Bcast(&expected, 1, MPI_INT, MPI_ROOT, children));
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    }
    return finish();
}
