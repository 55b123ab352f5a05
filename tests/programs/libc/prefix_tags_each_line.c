// ranks: 4
// options: --prefix
// expect-not: ^(one|of)
// expect: ^\[3\]
// Lines carry their rank with --prefix, also those written in pieces.
#include "check.h"

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("one ");
    fflush(stdout);
    printf("of %d\n", rank);
    MPI_Finalize();
    return 0;
}
