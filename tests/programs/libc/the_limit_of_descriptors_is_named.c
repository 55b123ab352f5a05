// ranks: 8
// expect: ^thrum: rank [0-9] cannot open another file: the 8 ranks of this process share one table of 100 descriptors
// The descriptors of the process are shared; a rank that finds none left gets EMFILE, and the user
// is told once which limit it is.
#include "check.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, opened = 0;
    FILE *files[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct rlimit limit = {100, 100};
    if (rank == 0) {
        struct rlimit before;
        CHECK_EQUAL(getrlimit(RLIMIT_NOFILE, &before), 0);
        CHECK_EQUAL(before.rlim_cur, before.rlim_max); // raised at the start
        CHECK_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    while (opened < 200 && (files[opened] = fopen("/dev/null", "r")) != NULL)
        ++opened;
    CHECK_EQUAL(errno, EMFILE);
    MPI_Barrier(MPI_COMM_WORLD);
    while (opened > 0)
        fclose(files[--opened]);
    MPI_Finalize();
    return 0;
}
