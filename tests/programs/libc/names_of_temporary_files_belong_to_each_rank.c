// ranks: 8
// tmpnam(NULL) answers in memory that a process has once: each rank has it once, and no two ranks
// get one name. Files of tmpfile() are those of the rank, and gone at its end.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Deprecated because of the time between the name and the file; here nobody else takes it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int main(int argc, char **argv) {
    int rank, size;
    char copy[L_tmpnam], all[8][L_tmpnam], given[L_tmpnam];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    char *name = tmpnam(NULL);
    CHECK(name != NULL);
    memset(copy, 0, sizeof copy);
    strcpy(copy, name);
    MPI_Allgather(copy, L_tmpnam, MPI_CHAR, all, L_tmpnam, MPI_CHAR, MPI_COMM_WORLD);
    CHECK(!strcmp(name, copy)); // the others have asked, too
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < i; ++j)
            CHECK(strcmp(all[i], all[j]) != 0);
    CHECK(tmpnam(given) == given && !strcmp(name, copy));
    CHECK(tmpnam(NULL) == name && strcmp(name, copy) != 0);

    FILE *file = tmpfile();
    CHECK(file != NULL);
    fprintf(file, "of rank %d\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    rewind(file);
    int read = -1;
    CHECK_EQUAL(fscanf(file, "of rank %d", &read), 1);
    CHECK_EQUAL(read, rank);
    CHECK_EQUAL(fclose(file), 0);
    MPI_Finalize();
    return 0;
}
