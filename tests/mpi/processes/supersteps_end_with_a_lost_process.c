// Rank 2 is killed in a superstep, while others wait for it globally or by counting, and one
// computes. No function of <thrum/bsp.h> returns an error: although all handle MPI's errors, the
// job ends at once, in one line that names the lost rank and where the others are.
// ranks: 4
// exit: 137
// expect: rank 2 .* on .* was ended by signal 9 .*; not inside an MPI call;
// expect: ; the other processes cannot continue without it: 2 ranks in bsp_sync(_count)?, 1 outside MPI
// expect-not: DEADLOCK
// expect-not: survivor
// timeout: 20
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <thrum/bsp.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 2) {
        usleep(500000);
        raise(SIGKILL);
    } else if (bsp_pid() == 3) {
        sleep(60);
    } else if (argc > 1) {
        bsp_sync_count(1);
    } else {
        bsp_sync();
    }
    puts("survivor");
    bsp_end();
    MPI_Finalize();
    return 0;
}
