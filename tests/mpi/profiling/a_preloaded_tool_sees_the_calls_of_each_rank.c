// MPI 5.0 section 15.2.3: "it is possible for the implementor of the profiling system to intercept
// the MPI calls that are made by the user program. The profiling system implementor can then
// collect any required information before calling the underlying MPI implementation (through its
// name shifted entry points)". The tool (library/count_calls.c) is a library that the program does
// not know.
// ranks: 3
// options: -x LD_PRELOAD="${program%/*}/libcount_calls.so"
// expect: ^tool: rank 0 sent 0 messages of 0 bytes and received 6$
// expect: ^tool: rank 1 sent 2 messages of 24 bytes and received 0$
// expect: ^tool: rank 2 sent 4 messages of 48 bytes and received 0$
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int data[3] = {rank, rank, rank};
    if (rank == 0) {
        for (int i = 0; i < 6; ++i)
            CHECK_SUCCESS(
                MPI_Recv(data, 3, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    } else {
        for (int i = 0; i < 2 * rank; ++i)
            CHECK_SUCCESS(MPI_Send(data, 3, MPI_INT, 0, 0, MPI_COMM_WORLD));
    }
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    return finish();
}
