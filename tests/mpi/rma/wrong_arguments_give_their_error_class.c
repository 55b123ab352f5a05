// MPI 5.0 section 12.6.2: "The error classes for one-sided communication are defined in Table 11."
// "RMA routines may (and almost certainly will) use other MPI error classes, such as MPI_ERR_OP or
// MPI_ERR_RANK."
// ranks: 1 3
#include "windows.h"

static int x, y, z;

static void sum_ints(void *in, void *inout, int *length, MPI_Datatype *type) {
    for (int i = 0; i < *length; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void creation(void) {
    MPI_Win win = (MPI_Win)1234;
    MPI_Info freed;
    void *base;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Win_create(&x, -4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_SIZE);
    CHECK_ERROR(MPI_Win_create(&x, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);
    CHECK_ERROR(MPI_Win_create(&x, 4, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);
    CHECK_ERROR(MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_BASE);
    CHECK_ERROR(MPI_Win_create(&x, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Win_create(&x, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    MPI_Info_create(&freed);
    MPI_Info stale = freed;
    MPI_Info_free(&freed);
    CHECK_ERROR(MPI_Win_create(&x, 4, 1, stale, MPI_COMM_WORLD, &win), MPI_ERR_INFO);
    CHECK_ERROR(MPI_Win_allocate(-1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win), MPI_ERR_SIZE);
    CHECK_ERROR(MPI_Win_allocate((MPI_Aint)1 << 60, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
                MPI_ERR_NO_MEM);
    CHECK_ERROR(
        MPI_Win_allocate_shared((MPI_Aint)1 << 60, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
        MPI_ERR_NO_MEM);
    CHECK_ERROR(MPI_Win_allocate_shared(8, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
                MPI_ERR_DISP);
    // One rank's error is everybody's.
    CHECK_ERROR(
        MPI_Win_create(&x, rank == size - 1 ? -1 : 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win),
        MPI_ERR_SIZE);
    if (size > 1)
        CHECK_ERROR(rank == 0 ? MPI_Win_create(&x, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win)
                              : MPI_Win_allocate(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
                    MPI_ERR_RMA_FLAVOR);
}

static void handles(void) {
    MPI_Win null = MPI_WIN_NULL, stale;
    int *memory, flag;
    MPI_Win win = int_window(1, 0, &memory);
    stale = win;
    free_window(&win);
    CHECK_ERROR(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Win_fence(0, stale), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Win_fence(0, (MPI_Win)77), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, null), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Win_free(&null), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Win_free(&stale), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Win_test(null, &flag), MPI_ERR_WIN);
    CHECK_ERROR(MPI_Win_get_attr(stale, MPI_WIN_BASE, &memory, &flag), MPI_ERR_WIN);
    MPI_Barrier(MPI_COMM_WORLD); // a new window of another rank may be where the old one was
}

static void communication(MPI_Win win) {
    MPI_Datatype raw;
    MPI_Op mine;
    MPI_Request request;
    MPI_Type_contiguous(1, MPI_INT, &raw);
    MPI_Op_create(sum_ints, 1, &mine);
    CHECK_ERROR(MPI_Put(&x, -1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Put(&x, 1, MPI_INT, 0, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Put(&x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Get(&x, 1, MPI_INT, 0, 0, 1, raw, win), MPI_ERR_TYPE); // not committed
    CHECK_ERROR(MPI_Put(&x, 1, MPI_INT, size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Put(&x, 1, MPI_INT, -77, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Put(&x, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
    CHECK_ERROR(MPI_Put(&x, 2, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
    CHECK_ERROR(MPI_Get(&x, 1, MPI_INT, 0, 0, 2, MPI_INT, win), MPI_ERR_TRUNCATE);
    CHECK_ERROR(MPI_Accumulate(&x, 2, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_TRUNCATE);
    CHECK_ERROR(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
    CHECK_ERROR(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, mine, win), MPI_ERR_OP);
    CHECK_ERROR(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win), MPI_ERR_OP);
    CHECK_ERROR(MPI_Accumulate(&x, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_BAND, win), MPI_ERR_OP);
    CHECK_ERROR(MPI_Fetch_and_op(&x, &y, MPI_INT, 0, 0, mine, win), MPI_ERR_OP);
    CHECK_ERROR(MPI_Fetch_and_op(&x, &y, MPI_CHAR, 0, 0, MPI_SUM, win), MPI_ERR_OP);
    CHECK_ERROR(MPI_Get_accumulate(&x, -1, MPI_INT, &y, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win),
                MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Get_accumulate(&x, 1, MPI_DATATYPE_NULL, &y, 1, MPI_INT, 0, 0, 1, MPI_INT,
                                   MPI_SUM, win),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Compare_and_swap(&x, &y, &z, MPI_FLOAT, 0, 0, win), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Rput(&x, 1, MPI_INT, size, 0, 1, MPI_INT, win, &request), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Rput(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, NULL), MPI_ERR_ARG);
    MPI_Op_free(&mine);
    MPI_Type_free(&raw);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    creation();
    handles();
    int *memory, other[1] = {0};
    MPI_Win win = int_window(4, 0, &memory);
    CHECK_ERROR(MPI_Win_lock(12345, 0, 0, win), MPI_ERR_LOCKTYPE);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, 0, 7, win), MPI_ERR_ASSERT);
    CHECK_ERROR(MPI_Win_lock_all(1, win), MPI_ERR_ASSERT);
    CHECK_ERROR(MPI_Win_fence(-1, win), MPI_ERR_ASSERT);
    CHECK_ERROR(MPI_Win_unlock(-5, win), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Win_flush(size, win), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Win_post(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
    CHECK_ERROR(MPI_Win_start(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
    MPI_Group self = group_of(1, other);
    CHECK_ERROR(MPI_Win_post(self, 3, win), MPI_ERR_ASSERT);
    CHECK_ERROR(MPI_Win_start(self, 3, win), MPI_ERR_ASSERT);
    MPI_Group_free(&self);
    MPI_Win_lock_all(0, win);
    communication(win);
    MPI_Win_unlock_all(win);
    // The group of a window of fewer ranks.
    if (size > 1) {
        MPI_Comm half;
        MPI_Win small;
        MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
        MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, half, &small);
        MPI_Win_set_errhandler(small, MPI_ERRORS_RETURN);
        int outsider = rank == 0 ? 1 : 0;
        MPI_Group outside = group_of(1, &outsider);
        CHECK_ERROR(MPI_Win_start(outside, 0, small), MPI_ERR_GROUP);
        MPI_Group_free(&outside);
        MPI_Win_free(&small);
        MPI_Comm_free(&half);
    }
    free_window(&win);
    return finish();
}
