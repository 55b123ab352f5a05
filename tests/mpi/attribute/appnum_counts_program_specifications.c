// MPI 5.0 section 11.10.3: the attribute MPI_APPNUM of MPI_COMM_WORLD is the number of the program
// specification of mpiexec that started the rank, from 0.
// ranks: 2
// ends: n + 3
// args: : -n 3 "$program"
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *appnum = NULL, flag = 0;
    CHECK_EQUAL(size, 5);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag);
    CHECK(flag);
    CHECK_EQUAL(*appnum, rank >= 2);
    return finish();
}
