// Rank 2 is killed while it holds a lock, and others put, wait for its lock, or for its epochs.
// They get errors, or what they wait for; those that are left go on with each other in the same
// window. MPI 5.0 section 11.4.2: "the remaining processes in MPI_COMM_WORLD should be able to
// continue communicating with each other and receive an appropriate error code when attempting
// communication with an aborted process (e.g., an error of class MPI_ERR_PROC_ABORTED)."
// ranks: 4
// exit: 137
// expect: rank 2 .* was ended by signal 9
// expect: survivors: 3
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { victim = 2, count = 1 << 17 };

#define LOST(call) CHECK_ERROR(call, MPI_ERR_PROC_ABORTED)

static int *memory, *data;
static MPI_Win locks, posts, fences;
static MPI_Group group_of_victim;

static MPI_Win new_window(void) {
    MPI_Win win;
    MPI_Win_create(memory, count * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    return win;
}

// Its answers, or the data that it reads, do not come.
static void put_until_it_is_gone(int length) {
    int code = MPI_SUCCESS;
    MPI_Win_lock_all(0, locks);
    while (code == MPI_SUCCESS)
        if ((code = MPI_Put(data, length, MPI_INT, victim, 0, length, MPI_INT, locks)) ==
            MPI_SUCCESS)
            code = MPI_Win_flush(victim, locks);
    LOST(code);
    LOST(MPI_Put(data, 1, MPI_INT, victim, 0, 1, MPI_INT, locks));
    LOST(MPI_Get(data, 1, MPI_INT, victim, 0, 1, MPI_INT, locks));
    LOST(MPI_Fetch_and_op(data, data + 1, MPI_INT, victim, 0, MPI_SUM, locks));
    LOST(MPI_Compare_and_swap(data, data + 1, data + 2, MPI_INT, victim, 0, locks));
    CHECK_SUCCESS(MPI_Win_unlock_all(locks));
    LOST(MPI_Win_lock(MPI_LOCK_SHARED, victim, 0, locks));
}

static void wait_for_its_epochs(int rank) {
    if (rank == 0) {
        MPI_Win_start(group_of_victim, 0, posts);
        LOST(MPI_Put(data, 1, MPI_INT, victim, 0, 1, MPI_INT, posts));
        LOST(MPI_Win_complete(posts));
    } else if (rank == 3) {
        MPI_Win_post(group_of_victim, 0, posts);
        LOST(MPI_Win_wait(posts));
    }
}

int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Group world;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){victim}, &group_of_victim);
    memory = calloc(count, sizeof(int));
    data = calloc(count, sizeof(int));
    locks = new_window();
    posts = new_window();
    fences = new_window();
    MPI_Win_fence(0, fences);
    if (rank == victim) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, fences); // any lock: no epoch of a fence has begun
        MPI_Barrier(MPI_COMM_WORLD);
        usleep(300000);
        raise(SIGKILL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        put_until_it_is_gone(1);
    } else if (rank == 1) {
        put_until_it_is_gone(count);
    } else { // it held the lock
        CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, fences));
        CHECK_SUCCESS(MPI_Win_unlock(1, fences));
    }
    wait_for_its_epochs(rank);
    LOST(MPI_Win_fence(0, fences));
    if (rank == 0) {
        CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, locks));
        CHECK_SUCCESS(MPI_Put(&(int){7}, 1, MPI_INT, 3, 5, 1, MPI_INT, locks));
        CHECK_SUCCESS(MPI_Win_unlock(3, locks));
        CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD));
        puts("survivors: 3");
    } else if (rank == 3) {
        CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, locks);
        CHECK_EQUAL(memory[5], 7);
        MPI_Win_unlock(3, locks);
        CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
    } else { // MPI_Finalize does not wait for the others, who lock its window
        CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 3, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    MPI_Finalize();
    return 0;
}
