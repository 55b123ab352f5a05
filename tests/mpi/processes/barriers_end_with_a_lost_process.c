// Rank 1 is killed while the others wait for it in a barrier, at the gate of their node
// (fabric/channel/gate.h): some have slept for long and some have just come. They get errors, also
// in later barriers; survivors meet at a gate of their own. MPI 5.0 section 11.4.2: "the remaining
// processes in MPI_COMM_WORLD should be able to continue communicating with each other and receive
// an appropriate error code when attempting communication with an aborted process (e.g., an error
// of class MPI_ERR_PROC_ABORTED)."
//
// ranks: 4 7
// exit: 137
// expect: rank 1 .* was ended by signal 9
// expect: all survivors met
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { victim = 1 };

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; ++i)
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == victim) {
        usleep(30000);
        kill(getpid(), SIGKILL);
        pause();
    }
    usleep(rank % 3 * 15000);
    for (int i = 0; i < 3; ++i)
        CHECK_ERROR(MPI_Barrier(MPI_COMM_WORLD), MPI_ERR_PROC_ABORTED);

    MPI_Group world, survivors;
    MPI_Comm comm;
    int lost = victim;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, 1, &lost, &survivors);
    CHECK_SUCCESS(MPI_Comm_create_group(MPI_COMM_WORLD, survivors, 9, &comm));
    for (int i = 0; i < 100; ++i)
        CHECK_SUCCESS(MPI_Barrier(comm));
    if (rank == 0)
        printf("all survivors met\n");
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Group_free(&survivors);
    MPI_Finalize();
    return 0;
}
