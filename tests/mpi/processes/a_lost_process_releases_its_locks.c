// A spawned process dies while it holds locks of the others' windows: shared ones, an exclusive
// one, and that of MPI_Win_lock_all of another window. Ranks that wait for these locks get them,
// and so do those that ask later.
// ranks: 2
// exit: 137
// expect: rank 0 of the ranks started by MPI_Comm_spawn .* was ended by signal 9
// expect: all locks were free again
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { victim = 2, patience_us = 200000 };

static MPI_Comm all; // two parents and the child
static int rank;

// Tells the others that the locks are held, gives them time to ask for them, and dies.
static void hold_and_die(MPI_Win one_by_one, MPI_Win together) {
    int held = 1;
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, one_by_one));
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, one_by_one));
    CHECK_SUCCESS(MPI_Win_lock_all(0, together));
    for (int other = 0; other < victim; ++other)
        MPI_Send(&held, 1, MPI_INT, other, 1, all);
    usleep(patience_us);
    kill(getpid(), SIGKILL);
    pause();
}

static void take(int target, int lock_type, MPI_Win win) {
    CHECK_SUCCESS(MPI_Win_lock(lock_type, target, 0, win));
    CHECK_SUCCESS(MPI_Win_unlock(target, win));
}

int main(int argc, char **argv) {
    MPI_Comm family;
    MPI_Win one_by_one, together;
    int *memory, held = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&family);
    const int is_child = family != MPI_COMM_NULL;
    if (!is_child)
        CHECK_SUCCESS(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                     &family, MPI_ERRCODES_IGNORE));
    CHECK_SUCCESS(MPI_Intercomm_merge(family, is_child, &all));
    MPI_Comm_rank(all, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(family, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, all, &memory, &one_by_one));
    CHECK_SUCCESS(MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, all, &memory, &together));
    MPI_Win_set_errhandler(one_by_one, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(together, MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Barrier(all));
    if (rank == victim)
        hold_and_die(one_by_one, together);
    CHECK_SUCCESS(MPI_Recv(&held, 1, MPI_INT, victim, 1, all, MPI_STATUS_IGNORE));
    // Each waits for one of them until the process is lost.
    take(rank, MPI_LOCK_EXCLUSIVE, rank == 0 ? one_by_one : together);
    // And whatever the dead one has held.
    for (int target = 0; target < victim; ++target) {
        take(target, MPI_LOCK_EXCLUSIVE, one_by_one);
        take(target, MPI_LOCK_SHARED, together);
        take(target, MPI_LOCK_EXCLUSIVE, together);
    }
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        printf("all locks were free again\n");
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, victim, 0, one_by_one), MPI_ERR_PROC_ABORTED);
    MPI_Finalize();
    return 0;
}
