// With --check, a member of a collective operation that expects more than it is sent gets
// MPI_ERR_COUNT (MPI 5.0 section 6.1).
// ranks: 2 3
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect: ^all refused$
// expect-not: warning
#include "check.h"

#include <mpi.h>

#include <string.h>

static int from[1 << 20], to[1 << 20], rank;

static void check_amount(int is_wrong, int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (!is_wrong) {
        CHECK_SUCCESS(code);
        return;
    }
    CHECK_ERROR(code, MPI_ERR_COUNT);
    MPI_Error_string(code, text, &length);
    CHECK(strstr(text, " sends ") && strstr(text, ", but rank "));
}

static int completed(MPI_Request request) {
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void check_rooted(int count) {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request;
    const int mine = rank == 1 ? count + 1 : count;
    check_amount(rank == 1, MPI_Bcast(to, mine, MPI_INT, 0, comm));
    check_amount(rank == 1, MPI_Scatter(from, count, MPI_INT, to, mine, MPI_INT, 0, comm));
    CHECK_SUCCESS(MPI_Ibcast(to, mine, MPI_INT, 0, comm, &request));
    check_amount(rank == 1, completed(request));
    CHECK_SUCCESS(MPI_Iscatter(from, count, MPI_INT, to, mine, MPI_INT, 0, comm, &request));
    check_amount(rank == 1, completed(request));
}

int main(int argc, char **argv) {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    check_rooted(1);
    check_rooted(100000);
    check_amount(1, MPI_Alltoall(from, 1, MPI_INT, to, 2, MPI_INT, comm));
    CHECK_SUCCESS(MPI_Ialltoall(from, 1, MPI_INT, to, 2, MPI_INT, comm, &request));
    check_amount(1, completed(request));
    check_amount(1, MPI_Allgather(from, 100000, MPI_INT, to, 100001, MPI_INT, comm));
    // A small gather is done for all, who get the error.
    check_amount(1, MPI_Gather(from, 1, MPI_INT, to, 2, MPI_INT, 0, comm));
    MPI_Barrier(comm);
    if (rank == 0)
        printf("all refused\n");
    MPI_Finalize();
    return 0;
}
