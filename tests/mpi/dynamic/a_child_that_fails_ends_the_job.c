// MPI 5.0 section 11.10.4: "If a process terminates without calling MPI_FINALIZE, independent
// processes are not affected but the effect on connected processes is not defined." Here the job
// ends, and the child is named by its number in the job: the parents' ranks are 0 and 1.
// ranks: 2
// exit: 7
// expect: rank 3 ended with exit code 7 without calling MPI_Finalize
// expect-not: still here
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        if (rank == 1)
            exit(7);
        MPI_Barrier(MPI_COMM_WORLD);
        return 0;
    }
    MPI_Comm children = spawn_self(argv[0], "child", 2);
    int nothing;
    MPI_Recv(&nothing, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE);
    printf("still here\n");
    return 0;
}
