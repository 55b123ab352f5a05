// Processes that call different operations, or name different roots, get errors: at least those
// that wait in vain, and nobody hangs. MPI 5.0 section 6.4: "It is called by all members of the
// group using the same arguments for comm and root."
// ranks: 2 4 5
// timeout: 60
#include "check.h"

#include <mpi.h>

static int rank, size;

static MPI_Comm fresh(void) { // numbered alike in all processes, whatever has happened before
    static MPI_Comm comm = MPI_COMM_NULL;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

// At least one process must find out.
static void judge(int code, int expected) {
    int failed = code != MPI_SUCCESS, failures;
    if (failed)
        CHECK_ERROR(code, expected);
    MPI_Allreduce(&failed, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(failures > 0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int last = rank == size - 1, value = rank, sum;
    MPI_Comm comm = fresh();
    judge(last ? MPI_Barrier(comm) : MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm),
          MPI_ERR_OTHER);
    comm = fresh();
    judge(last ? MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, comm)
               : MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm),
          MPI_ERR_OTHER);
    comm = fresh();
    judge(MPI_Allreduce(&value, &sum, 1, MPI_INT, last ? MPI_MAX : MPI_SUM, comm), MPI_ERR_OP);
    if (size > 2) { // with two, each broadcasts to the other, and nobody waits
        comm = fresh();
        judge(MPI_Bcast(&value, 1, MPI_INT, last ? 1 : 0, comm), MPI_ERR_ROOT);
    }
    comm = fresh();
    MPI_Request request;
    if (last)
        MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    else
        MPI_Ibarrier(comm, &request);
    judge(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
