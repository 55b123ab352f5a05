// A C program loads a plug-in that needs the C++ runtime: each rank has its own streams and
// objects.
// ranks: 1 2 8
// plugin: with_cxx_runtime
// expect: ^rank 0 says 1$
#include "check.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank;
    char word[40];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *handle = dlopen("libwith_cxx_runtime.so", RTLD_LAZY);
    CHECK(handle);
    int (*remember)(const char *) = (int (*)(const char *))dlsym(handle, "remember");
    for (int i = 1; i <= 3; ++i) {
        snprintf(word, sizeof word, "rank %d says %d", rank, i);
        CHECK_EQUAL(remember(word), i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_EQUAL(remember("x"), -(3 * 14 + (rank > 9 ? 3 : 0) + 2));
    CHECK_EQUAL(dlclose(handle), 0);
    MPI_Finalize();
    return 0;
}
