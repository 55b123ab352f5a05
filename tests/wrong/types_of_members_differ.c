// MPI 5.0 section 6.1: the type that a member of a collective operation sends must be that which
// the other receives. One warning comes for each pair of lines; the data are moved.
// ranks: 2 4
// modes: fibers-1 fibers-2 os-threads
// expect: MPI_Bcast: rank 0 has 2 MPI_FLOAT, but rank [1-3] expects MPI_INT \(sent by MPI_Bcast at
// expect: sent by MPI_Bcast at .*types_of_members_differ.c:[0-9]+ in as_floats; received at .*as_int
// expect: MPI_Gather: rank [1-3] has 2 MPI_INT, but rank 0 expects MPI_FLOAT
// expect: MPI_Scatter: rank 0 has 2 MPI_FLOAT, but rank [1-3] expects MPI_INT
// expect: MPI_Allgather: rank [0-3] has 2 MPI_(INT|FLOAT), but rank [0-3] expects MPI_(INT|FLOAT)
// expect: MPI_Alltoall: rank [0-3] has 2 MPI_(INT|FLOAT), but rank [0-3] expects MPI_(INT|FLOAT)
// expect: MPI_Reduce: rank [0-3] has 2 MPI_(INT|FLOAT), but rank [0-3] expects MPI_(INT|FLOAT)
// expect: MPI_Scan: rank [0-3] has 2 MPI_(INT|FLOAT), but rank [0-3] expects MPI_(INT|FLOAT)
// expect: rank [0-9]+: MPI_Bcast: rank 0 has 100000 MPI_FLOAT, but rank [1-3] expects MPI_INT
// expect: rank [0-9]+: MPI_(Wait|Ibcast): rank 0 has 3 MPI_FLOAT, but rank [1-3] expects MPI_INT
// expect: ^all done$
#include "check.h"

#include <mpi.h>

static char from[1 << 20], to[1 << 20];

// The same calls in two functions, which differ in the type.
#define CALLS(name, TYPE)                                                                          \
    static void name(void) {                                                                       \
        MPI_Comm comm = MPI_COMM_WORLD;                                                            \
        MPI_Request request;                                                                       \
        for (int i = 0; i < 3; ++i) {                                                              \
            MPI_Bcast(from, 2, TYPE, 0, comm);                                                     \
            MPI_Gather(from, 2, TYPE, to, 2, TYPE, 0, comm);                                       \
            MPI_Scatter(from, 2, TYPE, to, 2, TYPE, 0, comm);                                      \
            MPI_Allgather(from, 2, TYPE, to, 2, TYPE, comm);                                       \
            MPI_Alltoall(from, 2, TYPE, to, 2, TYPE, comm);                                        \
            MPI_Reduce(from, to, 2, TYPE, MPI_MAX, 0, comm);                                       \
            MPI_Scan(from, to, 2, TYPE, MPI_MAX, comm);                                            \
        }                                                                                          \
        MPI_Bcast(from, 100000, TYPE, 0, comm);                                                    \
        MPI_Ibcast(from, 3, TYPE, 0, comm, &request);                                              \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
    }

CALLS(as_floats, MPI_FLOAT)
CALLS(as_integers, MPI_INT)

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        as_floats();
    else
        as_integers();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
