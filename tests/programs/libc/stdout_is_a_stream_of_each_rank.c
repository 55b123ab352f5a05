// ranks: 6
// expect: ^rank 5 line 99 of the loop [.]{40} end$
// expect: ^stderr of rank 2 in pieces$
// expect-not: of rank . in.*of rank
// fprintf, printf, puts, putchar, fileno, isatty, setvbuf, fflush, flockfile, fclose work on the
// rank's own FILE; a line put together from pieces comes out whole.
#define _GNU_SOURCE
#include "check.h"

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    static char buffer[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(fileno(stdout), STDOUT_FILENO);
    CHECK_EQUAL(fileno(stderr), STDERR_FILENO);
    CHECK(!isatty(fileno(stdout)));
    if (rank == 1)
        CHECK_EQUAL(setvbuf(stdout, buffer, _IOFBF, sizeof buffer), 0);
    if (rank == 2)
        CHECK_EQUAL(setvbuf(stdout, NULL, _IONBF, 0), 0);
    if (rank == 3)
        CHECK_EQUAL(setvbuf(stdout, NULL, _IOLBF, 0), 0);
    for (int i = 0; i < 100; ++i) {
        printf("rank %d line %d", rank, i);
        fputs(" of the loop ", stdout);
        for (int k = 0; k < 40; ++k)
            putchar('.');
        puts(" end");
        if (i % 20 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    fprintf(stderr, "stderr of rank %d", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    fprintf(stderr, " in ");
    MPI_Barrier(MPI_COMM_WORLD);
    fprintf(stderr, "pieces\n");
    CHECK_EQUAL(fflush(stdout), 0);
    CHECK_EQUAL(fflush(NULL), 0);
    CHECK(!ferror(stdout));
    flockfile(stdout); // held over a suspension: nobody else needs this lock
    MPI_Barrier(MPI_COMM_WORLD);
    funlockfile(stdout);
    MPI_Finalize();
    if (rank == 4)
        CHECK_EQUAL(fclose(stdout), 0);
    return 0;
}
