// MPI 5.0 section 2.3: "Unless specified otherwise, an argument of type OUT or type INOUT cannot be
// aliased with any other argument passed to an MPI procedure." Warned about once in each process.
// ranks: 1 3
// modes: fibers-1 fibers-2 os-threads
// expect: ^thrum: warning: rank [0-2]: MPI_Allreduce: sendbuf and recvbuf overlap: pass MPI_IN_PLACE as sendbuf
// expect: pass MPI_IN_PLACE as sendbuf \(at .*_overlap.c:18 in main\); allowed here
// expect: ^1 warning$
// expect-not: MPI_Scan
#include "check.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, values[2] = {1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; ++i)
        CHECK_SUCCESS(MPI_Allreduce(values, values, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK_EQUAL(values[1], 2);
    CHECK_SUCCESS(MPI_Scan(values, values, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    if (rank == 0)
        printf("1 warning\n");
    MPI_Finalize();
    return 0;
}
