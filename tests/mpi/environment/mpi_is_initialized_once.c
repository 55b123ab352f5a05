// MPI 5.0 section 11.2.1: "an MPI program must contain exactly one call to an MPI initialization
// routine: MPI_INIT or MPI_INIT_THREAD"; "Subsequent calls to either of these initialization
// routines are erroneous."
// ranks: 2
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    int provided = -1, sum = 0;
    CHECK_ERROR(MPI_Init(NULL, NULL), MPI_ERR_OTHER);
    CHECK_ERROR(MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided), MPI_ERR_OTHER);
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQUAL(sum, 1);
    return finish();
}
