// MPI 5.0 section 11.8.2: "MPI_COMM_SPAWN tries to start maxprocs identical copies of the MPI
// program specified by command, establishing communication with them and returning an
// intercommunicator." This program is no position-independent executable: it cannot be cloned in
// its process, so that its children are processes of their own, and theirs again.
// flags: -no-pie -fno-pie
// ranks: 1
// modes: fibers-1 os-threads
// ends: n + 4
#include "dynamic.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    int generation = is_child() ? atoi(argv[1]) : 0, got = -1;
    if (is_child()) {
        int parent_process;
        CHECK_EQUAL(size, 2);
        CHECK_SUCCESS(MPI_Bcast(&parent_process, 1, MPI_INT, 0, parent));
        CHECK(parent_process != (int)getpid());
        CHECK_SUCCESS(MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQUAL(got, 1);
    }
    if (generation < 2 && rank == 0) {
        char next[16];
        snprintf(next, sizeof next, "%d", generation + 1);
        int process = (int)getpid();
        MPI_Comm children = spawn_from(MPI_COMM_SELF, argv[0], next, 2);
        CHECK_SUCCESS(MPI_Bcast(&process, 1, MPI_INT, MPI_ROOT, children));
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    }
    if (is_child())
        CHECK_SUCCESS(MPI_Comm_disconnect(&parent));
    return finish();
}
