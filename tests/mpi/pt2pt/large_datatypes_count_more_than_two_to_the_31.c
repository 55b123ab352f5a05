// MPI 5.0 section 3.2.5: "If the number of entries received exceeds the limits of the count
// parameter, then MPI_GET_COUNT sets the value of count to MPI_UNDEFINED"; the _c variant tells it.
// ranks: 1
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    MPI_Datatype giant;
    MPI_Count size_bytes = -1;
    int small = 0;
    CHECK_SUCCESS(MPI_Type_contiguous_c((MPI_Count)3 << 30, MPI_BYTE, &giant));
    CHECK_SUCCESS(MPI_Type_commit(&giant));
    CHECK_SUCCESS(MPI_Type_size_c(giant, &size_bytes));
    CHECK_EQUAL(size_bytes, (MPI_Count)3 << 30);
    CHECK_SUCCESS(MPI_Type_size(giant, &small));
    CHECK_EQUAL(small, MPI_UNDEFINED);
    MPI_Status status;
    MPI_Count count = -1;
    CHECK_SUCCESS(MPI_Status_set_elements_c(&status, MPI_BYTE, (MPI_Count)3 << 31));
    CHECK_SUCCESS(MPI_Get_count_c(&status, giant, &count));
    CHECK_EQUAL(count, 2);
    CHECK_SUCCESS(MPI_Get_count(&status, giant, &small));
    CHECK_EQUAL(small, 2);
    CHECK_SUCCESS(MPI_Get_elements(&status, giant, &small));
    CHECK_EQUAL(small, MPI_UNDEFINED);
    CHECK_SUCCESS(MPI_Get_elements_c(&status, giant, &count));
    CHECK_EQUAL(count, (MPI_Count)3 << 31);
    CHECK_SUCCESS(MPI_Type_free(&giant));
    MPI_Finalize();
    return 0;
}
