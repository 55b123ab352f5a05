// MPI 5.0 section 12.2.3: "For noncontiguous memory allocations, the default alignment requirements
// and the mpi_minimum_memory_alignment info key apply to all MPI processes with nonzero size
// argument."
// ranks: 1 4
#include "windows.h"

static void check_flavor(int noncontiguous) {
    char *mine, *base, *next = NULL;
    int unit;
    MPI_Aint bytes;
    MPI_Info info;
    MPI_Win win;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096");
    MPI_Info_set(info, "alloc_shared_noncontig", noncontiguous ? "true" : "false");
    CHECK_SUCCESS(MPI_Win_allocate_shared(10, 1, info, MPI_COMM_WORLD, &mine, &win));
    memset(mine, 'a' + rank, 10);
    MPI_Win_fence(0, win);
    for (int r = 0; r < size; ++r) {
        CHECK_SUCCESS(MPI_Win_shared_query(win, r, &bytes, &unit, &base));
        CHECK_EQUAL(bytes, 10);
        CHECK_EQUAL(base[9], 'a' + r);
        if (noncontiguous || r == 0)
            CHECK_EQUAL((uintptr_t)base % 4096, 0);
        if (!noncontiguous && r > 0)
            CHECK(base == next);
        next = base + 10;
    }
    MPI_Win_fence(0, win);
    MPI_Info_free(&info);
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    check_flavor(1);
    check_flavor(0);
    char *memory;
    MPI_Info info;
    MPI_Win win;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "1024");
    CHECK_SUCCESS(MPI_Win_allocate(100, 1, info, MPI_COMM_WORLD, &memory, &win));
    CHECK_EQUAL((uintptr_t)memory % 1024, 0);
    MPI_Info_free(&info);
    MPI_Win_free(&win);
    return finish();
}
