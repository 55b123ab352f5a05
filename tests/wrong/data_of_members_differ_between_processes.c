// MPI 5.0 section 6.1: what a member of a collective operation sends must have the type and the
// amount that the other one receives. One warning comes for each line; the data are moved.
// ranks: 4
// modes: processes processes-2
// expect: rank [1-3]: MPI_Bcast: rank 0 has 2 MPI_FLOAT, .*\(sent by MPI_Bcast at .* in as_floats; received
// expect: received at .*data_of_members_differ_between_processes.c:[0-9]+ in as_integers
// expect: rank 0: MPI_Gather: rank [1-3] has 2 MPI_INT, but rank 0 expects MPI_FLOAT
// expect: MPI_Scatter: rank 0 has 2 MPI_FLOAT, but rank [1-3] expects MPI_INT
// expect: MPI_Allgather: rank [0-3] has 2 MPI_(INT|FLOAT), but rank [0-3] expects MPI_(INT|FLOAT)
// expect: MPI_Alltoall: rank [0-3] has 2 MPI_(INT|FLOAT), but rank [0-3] expects MPI_(INT|FLOAT)
// expect: MPI_Bcast: rank 0 has 16 bytes of other types than rank [1-3] expects: 2 MPI_INT, 1 MPI_DOUBLE
// expect: rank [1-3]: MPI_Wait: rank 0 has 3 MPI_FLOAT, .*\(sent by MPI_Ibcast at .* in as_floats; received
// expect: MPI_Bcast: rank 0 sends 4 MPI_INT \(16 bytes\), but rank [1-3] expects 8 MPI_INT \(32 bytes\)
// expect: MPI_Scatter: rank 0 sends nothing, but rank [1-3] expects 8 MPI_INT \(32 bytes\)
// expect: ^all done$
#include "check.h"

#include <mpi.h>

static char from[1024], to[1024];

// The same calls in two functions, which differ in the type and in the amount.
#define CALLS(name, TYPE, pair, amount, some)                                                      \
    static void name(void) {                                                                       \
        MPI_Comm comm = MPI_COMM_WORLD;                                                            \
        MPI_Request request;                                                                       \
        for (int i = 0; i < 3; ++i) {                                                              \
            CHECK_SUCCESS(MPI_Bcast(from, 2, TYPE, 0, comm));                                      \
            CHECK_SUCCESS(MPI_Gather(from, 2, TYPE, to, 2, TYPE, 0, comm));                        \
            CHECK_SUCCESS(MPI_Scatter(from, 2, TYPE, to, 2, TYPE, 0, comm));                       \
            CHECK_SUCCESS(MPI_Allgather(from, 2, TYPE, to, 2, TYPE, comm));                        \
            CHECK_SUCCESS(MPI_Alltoall(from, 2, TYPE, to, 2, TYPE, comm));                         \
        }                                                                                          \
        CHECK_SUCCESS(MPI_Bcast(from, 1, pair, 0, comm));                                          \
        CHECK_SUCCESS(MPI_Ibcast(from, 3, TYPE, 0, comm, &request));                               \
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));                                      \
        CHECK_SUCCESS(MPI_Bcast(from, amount, MPI_INT, 0, comm));                                  \
        CHECK_SUCCESS(MPI_Scatter(from, some, MPI_INT, to, some, MPI_INT, 0, comm));               \
    }

static MPI_Datatype floats_and_double, integers_and_double;

CALLS(as_floats, MPI_FLOAT, floats_and_double, 4, 0)
CALLS(as_integers, MPI_INT, integers_and_double, 8, 8)

static MPI_Datatype pair_of(MPI_Datatype first) {
    MPI_Datatype type;
    MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){0, 8},
                           (MPI_Datatype[]){first, MPI_DOUBLE}, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    floats_and_double = pair_of(MPI_FLOAT);
    integers_and_double = pair_of(MPI_INT);
    if (rank == 0)
        as_floats();
    else
        as_integers();
    MPI_Type_free(&floats_and_double);
    MPI_Type_free(&integers_and_double);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
