// MPI 5.0 section 11.2.1: "Users can use the mpi_initial_errhandler info key during the launch of
// MPI processes (e.g., MPI_COMM_SPAWN, MPI_COMM_SPAWN_MULTIPLE, or mpiexec) to set a nonfatal
// initial error handler before MPI initialization." "During MPI initialization, the initial error
// handler is associated with MPI_COMM_WORLD, MPI_COMM_SELF, and the communicator returned by
// MPI_COMM_GET_PARENT (if any)."
// ranks: 1
// ends: n + 3
#include "dynamic.h"

static void check_handler(MPI_Comm comm, MPI_Errhandler expected) {
    MPI_Errhandler got;
    CHECK_SUCCESS(MPI_Comm_get_errhandler(comm, &got));
    CHECK(got == expected);
}

int main(int argc, char **argv) {
    int is_quiet = argc > 1 && strcmp(argv[1], "quiet") == 0;
    if (is_quiet) {
        int size_of_nothing;
        CHECK_ERROR(MPI_Comm_size(MPI_COMM_WORLD, &size_of_nothing), MPI_ERR_OTHER); // too early
    }
    start_family(&argc, &argv);
    MPI_Errhandler expected = is_quiet ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
    check_handler(MPI_COMM_WORLD, expected);
    check_handler(MPI_COMM_SELF, expected);
    if (is_child()) {
        check_handler(parent, expected);
        return part_from(&parent);
    }
    char *quiet[] = {"quiet", NULL}, *fatal[] = {"fatal", NULL};
    MPI_Info info;
    MPI_Comm children;
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "mpi_initial_errhandler", "MPI_Errors_Return"));
    CHECK_SUCCESS(
        MPI_Comm_spawn(argv[0], quiet, 2, info, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE));
    CHECK_SUCCESS(MPI_Info_free(&info));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    CHECK_SUCCESS(MPI_Comm_spawn(argv[0], fatal, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                                 MPI_ERRCODES_IGNORE));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    return finish();
}
