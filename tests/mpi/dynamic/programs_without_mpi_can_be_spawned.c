// MPI 5.0 section 11.8.2: completion of the call "does not necessarily mean that MPI_INIT has been
// called in the children": a program that never calls it runs and ends as a child.
// ranks: 2
// ends: n + 2
// expect: so much for MPI
#include "dynamic.h"

int main(int argc, char **argv) {
    if (argc > 1) { // the child
        printf("so much for MPI\n");
        return 0;
    }
    start_family(&argc, &argv);
    MPI_Comm children = spawn_self(argv[0], "child", 2);
    CHECK_SUCCESS(MPI_Comm_free(&children));
    return finish();
}
