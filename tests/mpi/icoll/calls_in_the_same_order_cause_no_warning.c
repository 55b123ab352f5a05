// MPI 5.0 section 6.13: "Once initialized, persistent collective operations can be started in any
// order and the order can differ among the MPI processes in the communicator." Blocking operations
// with one round or several, those that fail at some ranks, and the creation of other objects come
// between non-blocking ones in the same order everywhere.
// ranks: 2 3 6
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect-not: warning
// expect-not: order
#include "world.h"

static MPI_Request requests[256];
static int count, value, sum;

static void begin(MPI_Comm comm) {
    CHECK_SUCCESS(MPI_Ibarrier(comm, &requests[count++]));
    CHECK_SUCCESS(MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[count++]));
    CHECK_SUCCESS(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    count = 0;
}

static void move_data(MPI_Comm comm, int elements) {
    const size_t bytes = sizeof(int) * (size_t)elements * (size_t)size;
    int *from = calloc(1, bytes), *to = calloc(1, bytes);
    for (int root = 0; root < size; root += size - 1) {
        MPI_Bcast(from, elements, MPI_INT, root, comm);
        begin(comm);
        MPI_Gather(from, elements, MPI_INT, to, elements, MPI_INT, root, comm);
        begin(comm);
        MPI_Scatter(from, elements, MPI_INT, to, elements, MPI_INT, root, comm);
        begin(comm);
        MPI_Reduce(from, to, elements, MPI_INT, MPI_SUM, root, comm);
        begin(comm);
    }
    MPI_Allgather(from, elements, MPI_INT, to, elements, MPI_INT, comm);
    begin(comm);
    MPI_Alltoall(from, elements, MPI_INT, to, elements, MPI_INT, comm);
    begin(comm);
    MPI_Allreduce(from, to, elements, MPI_INT, MPI_SUM, comm);
    begin(comm);
    MPI_Reduce_scatter_block(from, to, elements, MPI_INT, MPI_SUM, comm);
    begin(comm);
    MPI_Scan(from, to, elements, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(from, to, elements, MPI_INT, MPI_SUM, comm);
    begin(comm);
    free(from);
    free(to);
}

// The receivers at some ranks, and roots that name other ranks, get errors.
static void fail(MPI_Comm comm, int elements) {
    int *data = calloc(sizeof(int), (size_t)elements * (size_t)size);
    int *to = calloc(sizeof(int), (size_t)elements * (size_t)size);
    const int mine = rank == 1 ? elements / 2 : elements;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int bcast = MPI_Bcast(data, mine, MPI_INT, 0, comm);
    CHECK((rank == 1) == (bcast != MPI_SUCCESS));
    begin(comm);
    const int scatter = MPI_Scatter(data, elements, MPI_INT, to, mine, MPI_INT, 0, comm);
    CHECK((rank == 1) == (scatter != MPI_SUCCESS));
    begin(comm);
    CHECK_ERROR(MPI_Allreduce(data, to, mine, MPI_INT, MPI_SUM, comm), MPI_ERR_COUNT);
    begin(comm);
    CHECK_ERROR(MPI_Scan(data, to, mine, MPI_INT, MPI_SUM, comm), MPI_ERR_COUNT);
    begin(comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    free(data);
    free(to);
}

static void make_objects(MPI_Comm comm) {
    MPI_Comm made;
    MPI_Win win;
    const int sizes[1] = {size}, periods[1] = {0};
    MPI_Comm_dup(comm, &made);
    begin(comm);
    MPI_Comm_free(&made);
    MPI_Comm_split(comm, rank == 0 ? MPI_UNDEFINED : rank % 2, rank, &made);
    begin(comm);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    MPI_Cart_create(comm, 1, sizes, periods, 0, &made);
    begin(comm);
    MPI_Comm_free(&made);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, comm, &win);
    begin(comm);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    begin(comm);
}

static void start_in_another_order(MPI_Comm comm) {
    MPI_Request started[2];
    int mine = 1, all, from_root = 2;
    MPI_Barrier_init(comm, MPI_INFO_NULL, &started[0]);
    MPI_Allreduce_init(&mine, &all, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &started[1]);
    for (int i = 0; i < 10; ++i) {
        const int first = (rank + i) % 2;
        MPI_Start(&started[first]);
        if (rank % 3 == 0)
            MPI_Start(&started[1 - first]);
        CHECK_SUCCESS(MPI_Bcast(&from_root, 1, MPI_INT, i % size, comm));
        if (rank % 3 != 0)
            MPI_Start(&started[1 - first]);
        begin(comm);
        MPI_Waitall(2, started, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&started[0]);
    MPI_Request_free(&started[1]);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm groups, half;
    for (int elements = 2; elements < 40000; elements *= 19) {
        move_data(MPI_COMM_WORLD, elements);
        fail(MPI_COMM_WORLD, elements);
    }
    make_objects(MPI_COMM_WORLD);
    start_in_another_order(MPI_COMM_WORLD);
    // Two groups: only one of them has the root, and its other members do nothing.
    const int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 0, &groups);
    for (int elements = 1; elements < 40000; elements *= 19) {
        int *data = calloc(sizeof(int), (size_t)elements * (size_t)size), root;
        int *to = calloc(sizeof(int), (size_t)elements * (size_t)size);
        root = upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
        MPI_Bcast(data, elements, MPI_INT, root, groups);
        begin(groups);
        MPI_Gather(data, elements, MPI_INT, to, elements, MPI_INT, root, groups);
        begin(groups);
        MPI_Scatter(data, elements, MPI_INT, to, elements, MPI_INT, root, groups);
        MPI_Reduce(data, to, elements, MPI_INT, MPI_SUM, root, groups);
        begin(groups);
        MPI_Allreduce(data, to, elements, MPI_INT, MPI_SUM, groups);
        begin(groups);
        free(data);
        free(to);
    }
    MPI_Comm_free(&groups);
    MPI_Comm_free(&half);
    return finish();
}
