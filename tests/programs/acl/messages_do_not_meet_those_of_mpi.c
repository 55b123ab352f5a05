// ACLMPL and MPI in one program: messages of the one are not received by the other, and their
// global operations may alternate.
// ranks: 2 3 16
#include "check.h"

#include <thrum/acl.h>

static void add(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((int *)result)[i] = ((const int *)lower)[i] + ((const int *)higher)[i];
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int life = 0; life < 2; life++) { // a second partition after the first
        acl_begin();
        CHECK_EQUAL(acl_self_address(), rank);
        CHECK_EQUAL(acl_partition_size(), size);
        int right = (rank + 1) % size, left = (rank + size - 1) % size;
        int by_mpi = -1, by_acl = -1, by_async = -1, one = 100 + rank, two = 200 + rank;
        int three = 300 + rank;
        MPI_Request request;
        CHECK_SUCCESS(MPI_Irecv(&by_mpi, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request));
        acl_async_send(right, 0, &three, sizeof three);
        CHECK_EQUAL(acl_send_and_receive(right, &two, sizeof two, left, &by_acl, sizeof by_acl), 4);
        CHECK_SUCCESS(MPI_Send(&one, 1, MPI_INT, right, 0, MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_EQUAL(acl_async_receive_block(left, 0, &by_async, sizeof by_async, NULL), 4);
        CHECK_EQUAL(by_mpi, 100 + left);
        CHECK_EQUAL(by_acl, 200 + left);
        CHECK_EQUAL(by_async, 300 + left);
        int sum = rank, mpi_sum = 0;
        acl_reduce(0, &sum, 1, sizeof sum, add);
        CHECK_SUCCESS(MPI_Allreduce(&rank, &mpi_sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        acl_broadcast(0, &sum, sizeof sum);
        CHECK_EQUAL(sum, mpi_sum);
        acl_end();
    }
    MPI_Finalize();
    return 0;
}
