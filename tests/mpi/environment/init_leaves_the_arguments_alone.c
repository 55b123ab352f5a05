// MPI 5.0 section 11.2.1: "The procedures MPI_INIT and MPI_INIT_THREAD accept either the argc and
// argv that are provided by the arguments to main or NULL." Every rank has the arguments of the
// command line.
// ranks: 1 3
// args: --size=7 'two words' -- -n
#include "world.h"

int main(int argc, char **argv) {
    char **before = argv;
    start(argc % 2 ? &argc : NULL, argc % 2 ? &argv : NULL);
    CHECK(argc == 5 && argv == before && argv[5] == NULL);
    CHECK(strcmp(argv[1], "--size=7") == 0);
    CHECK(strcmp(argv[2], "two words") == 0);
    CHECK(strcmp(argv[3], "--") == 0 && strcmp(argv[4], "-n") == 0);
    return finish();
}
