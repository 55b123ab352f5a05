// ranks: 3 16
// exit: 139
// expect: rank [0-9]*: segmentation fault.*several_ranks_crash_at_once.c
// While the first crash is being reported, the others' workers stand still: ranks that are moved to
// a spare worker meanwhile crash, too, and must wait for the report there.
#include <mpi.h>

static int *volatile nowhere;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return *nowhere;
}
