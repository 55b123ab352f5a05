// MPI 5.0 section 11.8.2: "MPI_COMM_SPAWN tries to start maxprocs identical copies of the MPI
// program specified by command": a child has the globals that a new process has, whatever its
// parents have written to theirs, and what it writes is its own.
// ranks: 2
// ends: n + 6
#include "dynamic.h"

static int initialised = 17;
static int zero[1000];
static const char *pointer = "at first";
static _Thread_local int thread_local_value = 5;

int main(int argc, char **argv) {
    CHECK(initialised == 17 && zero[999] == 0 && strcmp(pointer, "at first") == 0);
    CHECK_EQUAL(thread_local_value, 5);
    start_family(&argc, &argv);
    initialised = 1000 + rank;
    zero[999] = 1;
    pointer = "changed";
    thread_local_value = 6;
    if (is_child()) {
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_EQUAL(initialised, 1000 + rank);
        return part_from(&parent);
    }
    for (int i = 0; i < 2; ++i) { // the second uses what the first has given back
        MPI_Comm children = spawn_self(argv[0], "child", 3);
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
        CHECK_EQUAL(initialised, 1000 + rank);
    }
    return finish();
}
