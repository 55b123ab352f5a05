// MPI 5.0 section 7.4.2, MPI_COMM_TYPE_SHARED: "all MPI processes in the group of newcomm are part
// of the same shared memory domain and can create a shared memory segment (e.g., with a successful
// call to MPI_WIN_ALLOCATE_SHARED). This segment can subsequently be used for load/store accesses
// by all MPI processes in newcomm."
//
// ranks: 2 5
// modes: processes processes-2
#include "windows.h"

static void store_in_each_others_memory(MPI_Comm comm, MPI_Info info) {
    int *mine, *theirs, unit, me, members;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &members);
    CHECK_SUCCESS(MPI_Win_allocate_shared(me == 1 ? 0 : 4096 * (me + 1), sizeof(int), info, comm,
                                          &mine, &win));
    if (me != 1)
        mine[100] = 0;
    MPI_Barrier(comm);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int other = 0; other < members; ++other) {
        CHECK_SUCCESS(MPI_Win_shared_query(win, other, &bytes, &unit, &theirs));
        CHECK_EQUAL(bytes, other == 1 ? 0 : 4096 * (other + 1));
        if (bytes > 0)
            theirs[me] = 1000 * other + me;
    }
    MPI_Win_sync(win);
    MPI_Barrier(comm);
    MPI_Win_sync(win);
    for (int other = 0; other < members; ++other)
        if (me != 1)
            CHECK_EQUAL(mine[other], 1000 * me + other);
    // Operations reach the same memory: accumulates of all ranks, at their owner.
    int one = 1;
    for (int other = 0; other < members; ++other)
        if (other != 1)
            for (int i = 0; i < 100; ++i)
                CHECK_SUCCESS(
                    MPI_Accumulate(&one, 1, MPI_INT, other, 100, 1, MPI_INT, MPI_SUM, win));
    MPI_Win_flush_all(win);
    MPI_Barrier(comm);
    if (me != 1)
        CHECK_EQUAL(mine[100], 100 * members);
    MPI_Win_unlock_all(win);
    free_window(&win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm node;
    MPI_Info apart;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int members;
    MPI_Comm_size(node, &members);
    CHECK_EQUAL(members, size); // one machine
    MPI_Info_create(&apart);
    MPI_Info_set(apart, "alloc_shared_noncontig", "true");
    for (int round = 0; round < 10; ++round) {
        store_in_each_others_memory(node, MPI_INFO_NULL);
        store_in_each_others_memory(node, apart);
    }
    MPI_Info_free(&apart);
    MPI_Comm_free(&node);
    return finish();
}
