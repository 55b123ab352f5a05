// MPI 5.0 section 8.5.2: "Negative input values of dims[i] are erroneous. An error will occur if
// nnodes is not a multiple of" the product of the entries that are set; "only those entries where
// dims[i] = 0 are modified by the call."
// ranks: 1
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int negative[2] = {-1, 0}, not_a_multiple[2] = {4, 0}, too_few[2] = {2, 3}, all[2] = {2, 6};
    int free[2] = {0, 0};
    CHECK_ERROR(MPI_Dims_create(12, 2, negative), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Dims_create(10, 2, not_a_multiple), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Dims_create(12, 2, too_few), MPI_ERR_DIMS);
    CHECK_SUCCESS(MPI_Dims_create(12, 2, all));
    CHECK(all[0] == 2 && all[1] == 6);
    CHECK_ERROR(MPI_Dims_create(12, -1, free), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Dims_create(0, 2, free), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dims_create(-5, 2, free), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Dims_create(12, 2, NULL), MPI_ERR_ARG);
    CHECK(free[0] == 0 && free[1] == 0 && not_a_multiple[1] == 0);
    return finish();
}
