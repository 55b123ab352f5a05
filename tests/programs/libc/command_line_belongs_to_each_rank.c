// ranks: 4
// args: alpha,beta
// A program may cut up its arguments; the other ranks still see theirs whole.
#include "check.h"

#include <string.h>

int main(int argc, char **argv) {
    CHECK_EQUAL(argc, 2);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(argv[1], "alpha,beta"));
    CHECK(argv[2] == NULL);
    CHECK(!strcmp(strtok(argv[1], ","), "alpha"));
    CHECK(!strcmp(strtok(NULL, ","), "beta"));
    MPI_Finalize();
    return 0;
}
