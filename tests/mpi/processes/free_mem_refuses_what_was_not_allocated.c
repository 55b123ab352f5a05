// MPI 5.0 section 9.2: "The function MPI_FREE_MEM may raise an error of class MPI_ERR_BASE to
// indicate an invalid base argument." (For memory that processes share; other memory is from
// malloc, which ends the program.)
//
// ranks: 4
// modes: processes processes-2
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    char *memory, *other;
    CHECK_SUCCESS(MPI_Alloc_mem(100000, MPI_INFO_NULL, &memory));
    CHECK_SUCCESS(MPI_Alloc_mem(100000, MPI_INFO_NULL, &other));
    CHECK_ERROR(MPI_Free_mem(memory + 4096), MPI_ERR_BASE);
    CHECK_SUCCESS(MPI_Free_mem(memory));
    CHECK_ERROR(MPI_Free_mem(memory), MPI_ERR_BASE);
    fill_bytes(other, 100000, rank);
    CHECK_SUCCESS(MPI_Sendrecv_replace(other, 100000, MPI_CHAR, size - 1 - rank, 0, size - 1 - rank,
                                       0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    check_bytes(other, 100000, size - 1 - rank);
    CHECK_SUCCESS(MPI_Free_mem(other));
    return finish();
}
