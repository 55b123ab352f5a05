// MPI 5.0 section 9.2: "The info argument may be used to specify a desired alternative minimum
// alignment in bytes for the allocated memory by setting the value of the key
// "mpi_minimum_memory_alignment" to an integral number equal to a power of two. An implementation
// may ignore values smaller than the default required alignment."
// ranks: 1 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Info info;
    char *memory, text[32];
    CHECK_SUCCESS(MPI_Info_create(&info));
    for (size_t alignment = 1; alignment <= 1 << 21; alignment *= 2) {
        snprintf(text, sizeof text, "%zu", alignment);
        CHECK_SUCCESS(MPI_Info_set(info, "mpi_minimum_memory_alignment", text));
        CHECK_SUCCESS(MPI_Alloc_mem(100, info, &memory));
        CHECK_EQUAL((uintptr_t)memory % alignment, 0);
        CHECK_EQUAL((uintptr_t)memory % sizeof(long double), 0);
        memset(memory, 1, 100);
        CHECK_SUCCESS(MPI_Free_mem(memory));
    }
    const char *wrong[] = {"48", "-64", "much", "", "64 bytes", "0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        CHECK_SUCCESS(MPI_Info_set(info, "mpi_minimum_memory_alignment", wrong[i]));
        CHECK_ERROR(MPI_Alloc_mem(100, info, &memory), MPI_ERR_INFO_VALUE);
    }
    CHECK_SUCCESS(MPI_Info_free(&info));
    CHECK_ERROR(MPI_Alloc_mem((MPI_Aint)1 << 60, MPI_INFO_NULL, &memory), MPI_ERR_NO_MEM);
    CHECK_ERROR(MPI_Alloc_mem(-1, MPI_INFO_NULL, &memory), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Alloc_mem(8, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_SUCCESS(MPI_Alloc_mem(0, MPI_INFO_NULL, &memory));
    CHECK_SUCCESS(MPI_Free_mem(memory));
    return finish();
}
