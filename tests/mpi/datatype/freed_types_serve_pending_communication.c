// MPI 5.0 section 5.1.9: "Any communication that is currently using this datatype will complete
// normally. Freeing a datatype does not affect any other datatype that was built from the freed
// datatype."
// ranks: 2 4
#include "world.h"

enum { n = 20000 };

int main(int argc, char **argv) {
    static int out[2 * n], in[2 * n];
    start(&argc, &argv);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Datatype strided, twice;
    MPI_Request requests[2];
    MPI_Type_vector(n / 2, 1, 2, MPI_INT, &strided);
    MPI_Type_create_hvector(2, 1, 4 * n, strided, &twice);
    MPI_Type_free(&strided);
    CHECK(strided == MPI_DATATYPE_NULL);
    MPI_Type_commit(&twice);
    for (int i = 0; i < 2 * n; ++i) {
        out[i] = rank * 100000 + i;
        in[i] = -1;
    }
    MPI_Irecv(in, 1, twice, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, twice, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&twice);
    for (int i = 0; i < 100; ++i) { // what is freed may be made anew
        MPI_Type_contiguous(i + 1, MPI_DOUBLE, &strided);
        MPI_Type_free(&strided);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2 * n; ++i)
        CHECK_EQUAL(in[i], i % 2 == 0 ? left * 100000 + i : -1);
    return finish();
}
