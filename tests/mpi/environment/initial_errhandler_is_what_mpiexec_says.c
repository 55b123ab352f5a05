// MPI 5.0 section 11.2.1: "Users can use the mpi_initial_errhandler info key during the launch of
// MPI processes (e.g., MPI_COMM_SPAWN, MPI_COMM_SPAWN_MULTIPLE, or mpiexec) to set a nonfatal
// initial error handler before MPI initialization." After MPI_FINALIZE it serves again
// (section 11.2.2).
// options: --initial-errhandler mpi_errors_return
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    int size_of_nothing;
    CHECK_ERROR(MPI_Comm_size(MPI_COMM_WORLD, &size_of_nothing), MPI_ERR_OTHER);
    start(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    finish();
    CHECK_ERROR(MPI_Barrier(MPI_COMM_WORLD), MPI_ERR_OTHER);
    return 0;
}
