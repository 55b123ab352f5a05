// MPI 5.0 section 6.14, example: "Nonblocking collective operations can rely on the similar
// progress rules as nonblocking point-to-point operations. Thus, if started with two MPI processes,
// the following program is a valid MPI program and is guaranteed to terminate:"
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request req;
    int buf = 77;
    switch (rank) {
    case 0:
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &req));
        CHECK_SUCCESS(MPI_Wait(&req, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Send(&buf, 1, MPI_INT, 1, 4, MPI_COMM_WORLD));
        break;
    case 1:
        buf = 0;
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &req));
        CHECK_SUCCESS(MPI_Recv(&buf, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Wait(&req, MPI_STATUS_IGNORE));
        CHECK_EQUAL(buf, 77);
    }
    return finish();
}
