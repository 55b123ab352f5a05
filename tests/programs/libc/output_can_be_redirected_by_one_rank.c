// ranks: 4
// expect: ^back on the common output: 1$
// expect: ^rank 3 was never away$
// expect: ^rank 3 meanwhile$
// expect-not: into the file
// freopen() on stdout, and dup2() onto descriptor 1 and back, concern the rank that calls them.
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_file(const char *path, const char *expected) {
    char text[128] = "";
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    CHECK(!strcmp(text, expected));
    fclose(file);
    unlink(path);
}

int main(int argc, char **argv) {
    int rank;
    char path[64], expected[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    strcpy(path, "/tmp/thrum-redirect-XXXXXX");
    int file = mkstemp(path);
    CHECK(file >= 0);
    snprintf(expected, sizeof expected, "into the file %d\n", rank);
    if (rank == 0) {
        CHECK(freopen(path, "w", stdout) == stdout);
        printf("%s", expected);
        CHECK_EQUAL(fflush(stdout), 0);
        expect_file(path, expected);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (rank == 1) {
        int saved = dup(STDOUT_FILENO);
        CHECK(saved > 2);
        CHECK_EQUAL(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
        printf("%s", expected);
        CHECK_EQUAL(fflush(stdout), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_EQUAL(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
        close(saved);
        expect_file(path, expected);
        printf("back on the common output: %d\n", rank);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 3) {
            printf("rank %d meanwhile\n", rank);
            CHECK_EQUAL(fflush(stdout), 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 2) {
        CHECK_EQUAL(close(STDOUT_FILENO), 0);
        CHECK_EQUAL(write(STDOUT_FILENO, "x\n", 2), -1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3)
        printf("rank %d was never away\n", rank);
    MPI_Finalize();
    return 0;
}
