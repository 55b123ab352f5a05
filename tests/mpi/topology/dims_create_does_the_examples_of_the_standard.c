// MPI 5.0 section 8.5.2, Example "The use of the array argument dims in MPI_DIMS_CREATE.": (0,0)
// for 6 nodes gives (3,2), (0,0) for 7 gives (7,1), (0,3,0) for 6 gives (2,3,1), (0,3,0) for 7 is
// an "erroneous call". "If ndims is zero and nnodes is one, MPI_DIMS_CREATE returns MPI_SUCCESS."
// ranks: 1
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int six[2] = {0, 0}, seven[2] = {0, 0}, set[3] = {0, 3, 0}, wrong[3] = {0, 3, 0};
    CHECK_SUCCESS(MPI_Dims_create(6, 2, six));
    CHECK(six[0] == 3 && six[1] == 2);
    CHECK_SUCCESS(MPI_Dims_create(7, 2, seven));
    CHECK(seven[0] == 7 && seven[1] == 1);
    CHECK_SUCCESS(MPI_Dims_create(6, 3, set));
    CHECK(set[0] == 2 && set[1] == 3 && set[2] == 1);
    CHECK_ERROR(MPI_Dims_create(7, 3, wrong), MPI_ERR_DIMS);
    CHECK_SUCCESS(MPI_Dims_create(1, 0, NULL));
    CHECK_ERROR(MPI_Dims_create(2, 0, NULL), MPI_ERR_DIMS);
    return finish();
}
