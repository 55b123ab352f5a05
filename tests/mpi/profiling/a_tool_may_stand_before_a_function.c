// ranks: 4
// MPI 5.0 section 15.2: every function is also callable under the name PMPI_X, so that a tool can
// define MPI_X itself and call the library's from there.
#include "world.h"

static int sends;
static long bytes;

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    int type_size;
    PMPI_Type_size(datatype, &type_size);
    sends++;
    bytes += (long)count * type_size;
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    double data[3] = {rank, 1, 2};
    if (rank > 0) {
        CHECK_SUCCESS(MPI_Send(data, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD));
    } else {
        for (int source = 1; source < size; source++) {
            CHECK_SUCCESS(
                MPI_Recv(data, 3, MPI_DOUBLE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(data[0] == source);
        }
    }
    CHECK_EQUAL(sends, rank > 0);
    CHECK_EQUAL(bytes, rank > 0 ? 24 : 0);
    return finish();
}
