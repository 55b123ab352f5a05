// MPI 5.0 section 11.8.3: "Calling MPI_COMM_SPAWN multiple times would create many sets of children
// with different MPI_COMM_WORLDs". All ranks do so at the same time.
// ranks: 2 5
// ends: 11 * n
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        CHECK_EQUAL(size, 2);
        int number = atoi(argv[1]);
        CHECK_SUCCESS(MPI_Send(&number, 1, MPI_INT, 0, rank, parent));
        return part_from(&parent);
    }
    for (int round = 0; round < 5; ++round) {
        char text[16];
        snprintf(text, sizeof text, "%d", 10 * rank + round);
        MPI_Comm children = spawn_from(MPI_COMM_SELF, argv[0], text, 2);
        for (int child = 0; child < 2; ++child) {
            int number = -1;
            CHECK_SUCCESS(MPI_Recv(&number, 1, MPI_INT, child, child, children, MPI_STATUS_IGNORE));
            CHECK_EQUAL(number, 10 * rank + round);
        }
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
    }
    return finish();
}
