// MPI 5.0 section 12.2.3: "The allocated memory is contiguous across MPI processes in rank order
// unless the info key alloc_shared_noncontig is specified. Contiguous across MPI processes in rank
// order means that the first address in the memory segment of MPI process i is consecutive with the
// last address in the memory segment of MPI process i-1."
// ranks: 1 2 5
#include "windows.h"

static int ints_of(int of_rank) {
    return of_rank % 3 == 1 ? 0 : of_rank + 3;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *mine, *base, *expected, unit;
    MPI_Aint bytes;
    MPI_Win win;
    CHECK_SUCCESS(MPI_Win_allocate_shared(ints_of(rank) * (MPI_Aint)sizeof(int), 1 + rank,
                                          MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
    for (int i = 0; i < ints_of(rank); ++i)
        mine[i] = 100 * rank + i;
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Win_shared_query(win, 0, &bytes, &unit, &base));
    CHECK_EQUAL((uintptr_t)base % 16, 0);
    expected = base;
    for (int r = 0; r < size; ++r) {
        CHECK_SUCCESS(MPI_Win_shared_query(win, r, &bytes, &unit, &base));
        CHECK_EQUAL(bytes, ints_of(r) * (MPI_Aint)sizeof(int));
        CHECK_EQUAL(unit, 1 + r);
        CHECK(base == expected);
        CHECK(r != rank || base == mine);
        for (int i = 0; i < ints_of(r); ++i)
            CHECK_EQUAL(base[i], 100 * r + i);
        expected += ints_of(r);
    }
    // "When rank is MPI_PROC_NULL, the baseptr, disp_unit, and size returned are the base,
    // displacement unit, and size of the memory segment belonging to the MPI process with the
    // lowest rank in the shared memory domain that specified size > 0."
    CHECK_SUCCESS(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &base));
    CHECK_EQUAL(bytes, ints_of(0) * (MPI_Aint)sizeof(int));
    CHECK_EQUAL(base[1], 1);
    CHECK_ERROR((MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN),
                 MPI_Win_shared_query(win, size, &bytes, &unit, &base)),
                MPI_ERR_RANK);
    MPI_Win_fence(0, win);
    // The window can be accessed by operations as well; rank 0's displacement unit is 1.
    int value = -5;
    if (rank == size - 1)
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, 0, sizeof(int), 1, MPI_INT, win));
    MPI_Win_fence(0, win);
    if (rank == 0)
        CHECK_EQUAL(mine[1], -5);
    MPI_Win_free(&win);
    return finish();
}
