// Spawning and ports of ranks in several processes: an error of class MPI_ERR_UNSUPPORTED_OPERATION
// at all ranks, and the job goes on.
//
// ranks: 2 5
// modes: processes processes-2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (size <= 2 && argc < 2) { // two ranks of one process can do all this
        int value = 1, sum = 0;
        CHECK_SUCCESS(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQUAL(sum, size);
    }
    if (size > 2) {
        MPI_Comm children;
        CHECK_ERROR(MPI_Comm_spawn("program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                   &children, MPI_ERRCODES_IGNORE),
                    MPI_ERR_UNSUPPORTED_OPERATION);
        MPI_Comm others;
        CHECK_ERROR(MPI_Comm_accept("port", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others),
                    MPI_ERR_UNSUPPORTED_OPERATION);
        CHECK_ERROR(MPI_Publish_name("service", MPI_INFO_NULL, "port"),
                    MPI_ERR_UNSUPPORTED_OPERATION);
    }
    // All go on.
    int sum = 0;
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    return finish();
}
