// MPI 5.0 section 11.8.2: "If it is unable to spawn maxprocs processes, it raises an error of class
// MPI_ERR_SPAWN.": what cannot work is not begun.
// ranks: 1
// env: THRUM_MEMORY=4M
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child())
        return part_from(&parent);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Comm children;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int code = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3000, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                              &children, MPI_ERRCODES_IGNORE);
    CHECK_ERROR(code, MPI_ERR_SPAWN);
    CHECK_SUCCESS(MPI_Error_string(code, text, &length));
    CHECK(strstr(text, "3000 ranks of ") && strstr(text, "THRUM_MEMORY"));
    children = spawn_self(argv[0], "child", 3);
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    return finish();
}
