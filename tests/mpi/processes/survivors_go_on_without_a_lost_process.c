// Rank 2 is killed, or what has started it if the program has an argument. Who waits for it, in
// whatever call, gets an error; the others go on with each other, and finalize. MPI 5.0
// section 11.4.2: "the remaining processes in MPI_COMM_WORLD should be able to continue
// communicating with each other and receive an appropriate error code when attempting communication
// with an aborted process (e.g., an error of class MPI_ERR_PROC_ABORTED)."
// ranks: 4
// exit: 137
// expect: rank 2 .* was ended by signal 9 .*; not inside an MPI call
// expect: survivors: 3
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { victim = 2, large = 4 << 20 };

#define LOST(call) CHECK_ERROR(call, MPI_ERR_PROC_ABORTED)

static void wait_in_every_way(int rank) {
    int value = 0, values[2];
    char *data = calloc(large, 1);
    MPI_Status status, statuses[2];
    MPI_Request requests[2];
    if (rank == 0) { // blocked while it dies
        LOST(MPI_Recv(&value, 1, MPI_INT, victim, 1, MPI_COMM_WORLD, &status));
    } else if (rank == 1) {
        MPI_Irecv(&values[0], 1, MPI_INT, victim, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Send(&value, 1, MPI_INT, victim, 6,
                 MPI_COMM_WORLD); // a receive from anybody that begins later would wait
        CHECK_ERROR(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
        LOST(statuses[0].MPI_ERROR);
        LOST(statuses[1].MPI_ERROR);
    } else {
        LOST(MPI_Probe(victim, 4, MPI_COMM_WORLD, &status));
    }
    // All know of it by now, and call in vain.
    LOST(MPI_Recv(&value, 1, MPI_INT, victim, 1, MPI_COMM_WORLD, &status));
    LOST(MPI_Send(data, large, MPI_BYTE, victim, 1, MPI_COMM_WORLD));
    LOST(MPI_Ssend(&value, 1, MPI_INT, victim, 1, MPI_COMM_WORLD));
    MPI_Isend(data, large, MPI_BYTE, victim, 1, MPI_COMM_WORLD, &requests[0]);
    LOST(MPI_Wait(&requests[0], &status));
    LOST(MPI_Sendrecv(data, large, MPI_BYTE, victim, 5, &value, 1, MPI_INT, victim, 5,
                      MPI_COMM_WORLD, &status));
    LOST(MPI_Barrier(MPI_COMM_WORLD));
    LOST(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
    LOST(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    LOST(MPI_Wait(&requests[0], &status));
    MPI_Comm copy;
    MPI_Group all;
    LOST(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    LOST(MPI_Comm_create_group(MPI_COMM_WORLD, all, 3, &copy));
    MPI_Group_free(&all);
    free(data);
}

static void go_on_together(int rank) {
    int next = rank == 3   ? 0
               : rank == 1 ? 3
                           : 1,
        previous = rank == 0   ? 3
                   : rank == 3 ? 1
                               : 0,
        got = -1;
    CHECK_SUCCESS(MPI_Sendrecv(&rank, 1, MPI_INT, next, 7, &got, 1, MPI_INT, previous, 7,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQUAL(got, previous);
    if (rank == 0)
        for (int i = 0; i < 2; ++i)
            CHECK_SUCCESS(
                MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    else
        CHECK_SUCCESS(MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD));
    MPI_Group world, survivors;
    MPI_Comm comm;
    int lost = victim, sum = 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, 1, &lost, &survivors);
    CHECK_SUCCESS(MPI_Comm_create_group(MPI_COMM_WORLD, survivors, 9, &comm));
    CHECK_SUCCESS(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm));
    if (rank == 0)
        printf("survivors: %d\n", sum);
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Group_free(&survivors);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == victim) {
        int value;
        MPI_Recv(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        kill(argc > 1 ? getppid() : getpid(), SIGKILL);
        pause();
    }
    wait_in_every_way(rank);
    go_on_together(rank);
    MPI_Finalize();
    return 0;
}
