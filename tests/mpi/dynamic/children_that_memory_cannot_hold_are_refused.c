// MPI 5.0 section 11.8.2: "If it is unable to spawn maxprocs processes, it raises an error of class
// MPI_ERR_SPAWN.": what cannot work for want of memory is not begun, and what can still works.
// ranks: 1
// env: THRUM_MEMORY=4M
// exit: nonzero
// expect: 3000 ranks of .*children_that_memory.* need at least .* of memory .*THRUM_MEMORY
// expect-not: CHECK
#include "dynamic.h"

static int spawn(char *program, int count, MPI_Comm *children) {
    return MPI_Comm_spawn(program, MPI_ARGV_NULL, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children,
                          MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child())
        return part_from(&parent);
    MPI_Comm children;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_ERROR(spawn(argv[0], 3000, &children), MPI_ERR_SPAWN);
    CHECK_SUCCESS(spawn(argv[0], 3, &children));
    CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    spawn(argv[0], 3000, &children); // tells why
    return finish();
}
