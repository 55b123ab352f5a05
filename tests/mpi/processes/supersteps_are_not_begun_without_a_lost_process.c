// Rank 2 is lost, and the others go on with MPI, as they handle errors; bsp_begin, which cannot say
// so, ends the job.
// ranks: 4
// exit: nonzero
// expect: rank 2 .* was ended by signal 9
// expect: thrum: rank [01], in bsp_[a-z]*, cannot continue: rank 2 of the job, on .*, is lost
// expect-not: DEADLOCK
// timeout: 30
#include "check.h"

#include <signal.h>
#include <thrum/bsp.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        raise(SIGKILL);
    CHECK_ERROR(MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                MPI_ERR_PROC_ABORTED);
    sleep(2); // the launcher has decided that all go on
    bsp_begin(bsp_nprocs());
    bsp_sync();
    bsp_end();
    MPI_Finalize();
    return 0;
}
