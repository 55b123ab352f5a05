// Some processes are in a barrier, at their gate (fabric/channel/gate.h), while the others wait for
// packets of another operation, whoever comes first and whether those who wait have gone to sleep.
// All that wait in vain get an error, and later operations of the communicator work. MPI 5.0
// section 6.4: "It is called by all members of the group using the same arguments for comm and
// root."
//
// ranks: 2 3 6
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <unistd.h>

static int rank, size;

static void differ(int barrier_is_late, int all_but_one, int times_before) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < times_before; ++i)
        CHECK_SUCCESS(MPI_Barrier(comm));
    int in_barrier = all_but_one ? rank != 0 : rank == size - 1;
    if (in_barrier == barrier_is_late)
        usleep(20000);
    int value = rank, sum = 0;
    // Its root waits for all others, who have nothing to wait for.
    int code =
        in_barrier ? MPI_Barrier(comm) : MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
    int failed = code != MPI_SUCCESS;
    if (failed)
        CHECK_ERROR(code, MPI_ERR_OTHER);
    if (in_barrier || rank == 0)
        CHECK(failed);
    usleep(5000 * (rank % 3));
    for (int i = 0; i < 5; ++i)
        CHECK_SUCCESS(MPI_Barrier(comm));
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int form = 0; form < 8; ++form)
        differ(form & 1, form >> 1 & 1, form & 4 ? 3 : 1);
    MPI_Finalize();
    return 0;
}
