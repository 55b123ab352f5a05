// MPI 5.0 section 6.12: "Once initiated, the operation may progress independently of any
// computation or other communication at participating MPI processes." Here it does: what one rank
// begins and does not complete does not keep the others from completing, whatever the sizes.
// ranks: 2 5 16
#include "every_collective.h"

// The last rank completes each operation only after a message that all others send when they have.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int sizes[] = {1, 900, 20000};
    for (int s = 0; s < 3; ++s) {
        if (sizes[s] * size > 40000)
            continue;
        for (int root = 0; root < size; root += size - 1) {
            Collective c = new_collective(MPI_COMM_WORLD, root, sizes[s]);
            for (int which = 0; which < collectives; ++which) {
                MPI_Request request;
                int token = 1;
                fill_collective(&c, which);
                call_collective(&c, which, Nonblocking, 0, &request);
                if (rank < size - 1) {
                    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
                    CHECK_SUCCESS(MPI_Send(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD));
                } else {
                    for (int i = 0; i < size - 1; ++i)
                        CHECK_SUCCESS(
                            MPI_Recv(&token, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
                }
            }
            free_collective(&c);
        }
    }
    return finish();
}
