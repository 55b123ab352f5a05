// MPI 5.0 section 9.1.2: "Tag values range from 0 to the value returned for MPI_TAG_UB, inclusive
// ... the tag upper bound value must be at least 32767", the same on all ranks.
// ranks: 2
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    int *upper = NULL, flag = 0, value = rank, got = -1;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &flag);
    CHECK(flag);
    CHECK(*upper >= 32767);
    MPI_Sendrecv(upper, 1, MPI_INT, 1 - rank, 0, &got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_EQUAL(got, *upper);
    MPI_Status status;
    MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, *upper, &got, 1, MPI_INT, 1 - rank, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
    CHECK_EQUAL(got, 1 - rank);
    CHECK_EQUAL(status.MPI_TAG, *upper);
    if (*upper < 2147483647)
        CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 1 - rank, *upper + 1, MPI_COMM_WORLD),
                    MPI_ERR_TAG);
    MPI_Finalize();
    return 0;
}
