// MPI 5.0 section 11.8.4: wdir: "This directory is made the working directory of the executing
// process(es)." path: "Value is a directory or set of directories where the implementation should
// look for the executable." Without wdir children begin where the root of the spawning processes
// is.
// ranks: 2
// ends: n + 4
#include "dynamic.h"

#include <limits.h>
#include <unistd.h>

static void check_directory(const char *expected) {
    char wanted[PATH_MAX], here[PATH_MAX];
    CHECK(realpath(expected, wanted) && getcwd(here, sizeof here));
    CHECK(strcmp(wanted, here) == 0);
}

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        check_directory(argv[1]);
        return part_from(&parent);
    }
    char directory[PATH_MAX], *name = strrchr(argv[0], '/');
    snprintf(directory, sizeof directory, "%.*s", (int)(name - argv[0]), argv[0]);
    MPI_Info info;
    MPI_Comm children;
    char *to_usr[] = {"/usr", NULL}, *to_tmp[] = {"/tmp", NULL};
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "wdir", "/usr"));
    CHECK_SUCCESS(MPI_Info_set(info, "path", directory));
    CHECK_SUCCESS(MPI_Comm_spawn(name + 1, to_usr, 2, info, 0, MPI_COMM_WORLD, &children,
                                 MPI_ERRCODES_IGNORE));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    CHECK_SUCCESS(MPI_Info_delete(info, "wdir"));
    if (rank == 1)
        CHECK(chdir("/tmp") == 0); // its own directory only
    CHECK_SUCCESS(MPI_Comm_spawn(name + 1, to_tmp, 2, info, 1, MPI_COMM_WORLD, &children,
                                 MPI_ERRCODES_IGNORE));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    CHECK_SUCCESS(MPI_Info_free(&info));
    return finish();
}
