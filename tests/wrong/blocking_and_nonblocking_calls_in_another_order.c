// MPI 5.0 section 6.12: "All MPI processes must call collective operations (blocking and
// nonblocking) in the same order per communicator." One warning comes for each pair of lines.
// ranks: 2 5
// modes: fibers-1 fibers-2 os-threads
// expect: warning: rank [1-4]: MPI_Ibarrier: ranks disagree on the order of calls: rank 0 calls MPI_Bcast
// expect: order of calls: rank 0 calls MPI_Bcast before MPI_Ibarrier, rank [1-4] calls MPI_Ibarrier first
// expect: first \(rank [1-4]: .*another_order.c:38 in barrier_first; rank 0: .*_order.c:28 in barrier_last\)
// expect: in barrier_last\); allowed here, but not by the MPI standard
// expect: MPI_Barrier_init: .*: rank [1-4] calls MPI_Allreduce before MPI_Barrier_init, rank 0 calls
// expect: MPI_Barrier_init first \(rank 0: .* in initialized_first; rank [1-4]: .* in initialized_last\)
// expect: MPI_Iallreduce: .*: rank 0 calls a communicator's creation before MPI_Iallreduce, rank [1-4]
// expect: ^all done$
// expect-not: MPI_Start
#include "check.h"

#include <mpi.h>

static int rank, size, value, sum;

// Each call is in a function of its own, so that it keeps its line at -O2.

static void broadcast(void) {
    CHECK_SUCCESS(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
}

static void barrier_last(MPI_Request *request) {
    broadcast();
    CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, request));
    for (int i = 1; i < size; ++i)
        CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, i, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Wait(request, MPI_STATUS_IGNORE));
}

// The root of a small broadcast does not wait, so the others begin their barrier after its one.

static void barrier_first(MPI_Request *request) {
    CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, request));
    broadcast();
    CHECK_SUCCESS(MPI_Wait(request, MPI_STATUS_IGNORE));
}

static void reduce(void) {
    CHECK_SUCCESS(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

static void initialized_first(MPI_Request *request) {
    CHECK_SUCCESS(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request));
    reduce();
}

static void initialized_last(MPI_Request *request) {
    reduce();
    CHECK_SUCCESS(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request));
}

static void reduction(MPI_Request *request) {
    CHECK_SUCCESS(MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request));
}

static void with_a_new_communicator(void) {
    MPI_Comm comm;
    MPI_Request request;
    if (rank > 0)
        reduction(&request);
    CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    if (rank == 0)
        reduction(&request);
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; ++i) {
        (rank == 0 ? barrier_last : barrier_first)(&request);
        (rank == 0 ? initialized_first : initialized_last)(&request);
        CHECK_SUCCESS(MPI_Start(&request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Request_free(&request));
        with_a_new_communicator();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
