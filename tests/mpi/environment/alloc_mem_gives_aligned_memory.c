// MPI 5.0 section 9.2: MPI_ALLOC_MEM and MPI_FREE_MEM; the info key mpi_minimum_memory_alignment
// asks for "a desired alternative minimum alignment in bytes for the allocated memory"; an error of
// class MPI_ERR_NO_MEM tells that "memory is exhausted".
// ranks: 1 4
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    MPI_Info info;
    CHECK_SUCCESS(MPI_Info_create(&info));
    for (int shift = 3; shift <= 16; ++shift) {
        char value[20], *memory = NULL;
        snprintf(value, sizeof value, "%d", 1 << shift);
        CHECK_SUCCESS(MPI_Info_set(info, "mpi_minimum_memory_alignment", value));
        CHECK_SUCCESS(MPI_Alloc_mem(1000 * shift, info, &memory));
        CHECK_EQUAL((uintptr_t)memory % (1u << shift), 0);
        fill_bytes(memory, 1000 * shift, rank);
        CHECK_SUCCESS(MPI_Sendrecv_replace(memory, 1000 * shift, MPI_CHAR, (rank + 1) % size, 0,
                                           (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                                           MPI_STATUS_IGNORE));
        check_bytes(memory, 1000 * shift, (rank + size - 1) % size);
        CHECK_SUCCESS(MPI_Free_mem(memory));
    }
    CHECK_SUCCESS(MPI_Info_free(&info));
    void *nothing = NULL;
    CHECK_SUCCESS(MPI_Alloc_mem(0, MPI_INFO_NULL, &nothing));
    CHECK_SUCCESS(MPI_Free_mem(nothing));
    CHECK_ERROR(MPI_Alloc_mem(-1, MPI_INFO_NULL, &nothing), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Alloc_mem((MPI_Aint)1 << 60, MPI_INFO_NULL, &nothing), MPI_ERR_NO_MEM);
    return finish();
}
