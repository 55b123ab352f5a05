// MPI 5.0 section 11.8.2: "The command argument is a string containing the name of a program to be
// spawned." Here it is another one than the parents', in the same directory.
// ranks: 1 2
// ends: n + 4
#include "dynamic.h"

enum { workers = 2, rounds = 10 };

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    char path[4096];
    snprintf(path, sizeof path, "%s", argv[0]);
    char *name = strrchr(path, '/');
    CHECK(name);
    strcpy(name + 1, "a_worker_serves_its_parents");
    for (int again = 0; again < 2; ++again) {
        MPI_Comm children;
        CHECK_SUCCESS(MPI_Comm_spawn(path, MPI_ARGV_NULL, workers, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                     &children, MPI_ERRCODES_IGNORE));
        for (int i = 0; i < rounds; ++i) {
            int number = 100 * rank + i, answer = -1;
            CHECK_SUCCESS(MPI_Send(&number, 1, MPI_INT, i % workers, 1, children));
            CHECK_SUCCESS(
                MPI_Recv(&answer, 1, MPI_INT, i % workers, 1, children, MPI_STATUS_IGNORE));
            CHECK_EQUAL(answer, 2 * number);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < workers && rank == 0; ++i) {
            int served = -1;
            CHECK_SUCCESS(MPI_Send(&served, 1, MPI_INT, i, 0, children));
            CHECK_SUCCESS(MPI_Recv(&served, 1, MPI_INT, i, 2, children, MPI_STATUS_IGNORE));
            CHECK_EQUAL(served, size * rounds / workers);
        }
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    }
    return finish();
}
