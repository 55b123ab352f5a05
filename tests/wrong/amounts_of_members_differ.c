// MPI 5.0 section 6.1: the amount of data sent must be equal to the amount of data specified by the
// receiver. One warning comes for each pair of lines; the data are moved.
// ranks: 2 4
// modes: fibers-1 fibers-2 os-threads
// expect: MPI_Bcast: rank 0 sends 4 MPI_INT \(16 bytes\), but rank [1-3] expects 8 MPI_INT \(32 bytes\)
// expect: sent by MPI_Bcast at .*amounts_of_members_differ.c:.* in at_root; received at .* in elsewhere
// expect: MPI_Gather: rank [1-3] sends 4 MPI_INT \(16 bytes\), but rank 0 expects 8 MPI_INT \(32 bytes\)
// expect: MPI_Scatter: rank 0 sends 4 MPI_INT \(16 bytes\), but rank [1-3] expects 8 MPI_INT \(32 bytes\)
// expect: MPI_Scatter: rank 0 sends 100000 MPI_INT .* but rank [1-3] expects 200000 MPI_INT
// expect: MPI_Alltoall: rank [0-3] sends 4 MPI_INT \(16 bytes\), but rank [0-3] expects 8 MPI_INT
// expect: MPI_Bcast: rank 0 sends 100000 MPI_INT .* but rank [1-3] expects 200000 MPI_INT
// expect: MPI_Allgather: rank [0-3] sends 4 MPI_INT \(16 bytes\), but rank [0-3] expects 8 MPI_INT
// expect: rank [0-3] sends 6 MPI_INT \(24 bytes\), but rank [0-3] expects 9 MPI_INT \(36 bytes\)
// expect: MPI_Bcast: rank 0 sends nothing, but rank [1-3] expects 1 MPI_INT \(4 bytes\)
// expect: rank 0 sends 3 MPI_INT \(12 bytes\), but rank [1-3] expects 5 MPI_INT \(20 bytes\)
// expect: ^all done$
#include "check.h"

#include <mpi.h>

static int from[1 << 20], to[1 << 20];

// The same calls in two functions, which differ in what is received.
#define CALLS(name, factor, some, gathered)                                                        \
    static void name(void) {                                                                       \
        MPI_Comm comm = MPI_COMM_WORLD;                                                            \
        MPI_Request request;                                                                       \
        for (int i = 0; i < 3; ++i) {                                                              \
            CHECK_SUCCESS(MPI_Bcast(to, 4 * factor, MPI_INT, 0, comm));                            \
            CHECK_SUCCESS(MPI_Gather(from, 4, MPI_INT, to, gathered, MPI_INT, 0, comm));           \
            CHECK_SUCCESS(MPI_Scatter(from, 4, MPI_INT, to, 4 * factor, MPI_INT, 0, comm));        \
            CHECK_SUCCESS(MPI_Alltoall(from, 4, MPI_INT, to, 8, MPI_INT, comm));                   \
            CHECK_SUCCESS(MPI_Allgather(from, 4, MPI_INT, to, 8, MPI_INT, comm));                  \
        }                                                                                          \
        CHECK_SUCCESS(MPI_Bcast(to, 100000 * factor, MPI_INT, 0, comm));                           \
        CHECK_SUCCESS(MPI_Scatter(from, 100000, MPI_INT, to, 100000 * factor, MPI_INT, 0, comm));  \
        CHECK_SUCCESS(MPI_Bcast(to, factor - 1, MPI_INT, 0, comm));                                \
        CHECK_SUCCESS(MPI_Iallgather(from, 6, MPI_INT, to, 9, MPI_INT, comm, &request));           \
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));                                      \
        CHECK_SUCCESS(MPI_Ibcast(to, some, MPI_INT, 0, comm, &request));                           \
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));                                      \
    }

CALLS(at_root, 1, 3, 8)
CALLS(elsewhere, 2, 5, 8)

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        at_root();
    else
        elsewhere();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
