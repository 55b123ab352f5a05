// ranks: 4
// dlsym and dladdr speak of the calling rank's copy; libraries of the C library's family are
// shared.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) int exported_variable = 1;

__attribute__((visibility("default"), noinline)) int exported_function(void) {
    return exported_variable;
}

int main(int argc, char **argv) {
    int rank;
    Dl_info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exported_variable = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(dladdr((void *)exported_function, &info) != 0);
    CHECK(info.dli_fname && strstr(info.dli_fname, "symbols_are_found"));
    CHECK((char *)info.dli_fbase < (char *)exported_function);
    if (info.dli_saddr) // linked with -rdynamic
        CHECK(info.dli_saddr == (void *)exported_function);
    void *variable = dlsym(RTLD_DEFAULT, "exported_variable");
    if (variable)
        CHECK(variable == &exported_variable);
    char *(*get)(const char *) = (char *(*)(const char *))dlsym(RTLD_DEFAULT, "getenv");
    char text[16];
    snprintf(text, sizeof text, "%d", rank);
    setenv("MY_RANK", text, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(get && !strcmp(get("MY_RANK"), text));
    CHECK(dlsym(RTLD_NEXT, "getenv") != NULL);
    CHECK(dlsym(RTLD_DEFAULT, "no_such_symbol_anywhere") == NULL);
    CHECK(dlerror() != NULL);
    CHECK(dlopen(NULL, RTLD_NOW) != NULL);
    CHECK(dlopen("libc.so.6", RTLD_NOW) != NULL);
    CHECK(dlerror() == NULL);
    void *shared = dlopen("libthread_db.so.1", RTLD_NOW), *function = NULL;
    CHECK(shared && (function = dlsym(shared, "td_init")));
    void *of_first = function;
    MPI_Bcast(&of_first, sizeof of_first, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK(function == of_first);
    CHECK(dlclose(shared) == 0);
    CHECK(dlerror() == NULL);
    MPI_Finalize();
    return 0;
}
