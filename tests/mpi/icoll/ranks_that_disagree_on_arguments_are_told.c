// MPI 5.0 section 6.4: "It is called by all members of the group using the same arguments for comm
// and root." Section 6.9.1: "The routine is called by all group members using the same arguments
// for count, datatype, op, root and comm."
// ranks: 2 6 20
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request request;
    int odd = rank == size - 1, code, wrong;
    static int in[5000], out[5000];
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    // The root: at least one hears of it, and nobody hangs.
    CHECK_SUCCESS(MPI_Ibcast(in, 1, MPI_INT, odd ? 0 : size - 1, MPI_COMM_WORLD, &request));
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    int failed = code != MPI_SUCCESS;
    if (failed)
        CHECK_ERROR(code, MPI_ERR_ROOT);
    CHECK_SUCCESS(MPI_Allreduce(&failed, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(wrong > 0);
    // The operation, small and large.
    for (int count = 1; count <= 5000; count += 4999) {
        CHECK_SUCCESS(MPI_Iallreduce(in, out, count, MPI_INT, odd ? MPI_MAX : MPI_SUM,
                                     MPI_COMM_WORLD, &request));
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OP);
    }
    // The size.
    for (int count = 2; count <= 5000; count += 4998) {
        CHECK_SUCCESS(
            MPI_Iallreduce(in, out, count - odd, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
        CHECK_SUCCESS(MPI_Iscan(in, out, count - odd, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (odd || count > 2) // a small scan is complete before the last rank has come
            CHECK_ERROR(code, MPI_ERR_COUNT);
        else
            CHECK_SUCCESS(code);
        CHECK_SUCCESS(
            MPI_Iexscan(in, out, count + (rank == 0), MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank > 0 || count > 2)
            CHECK_ERROR(code, MPI_ERR_COUNT);
        else
            CHECK_SUCCESS(code);
    }
    // The initialisation of different operations, and of one and a non-blocking operation.
    if (odd)
        code = MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        code = MPI_Bcast_init(in, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    if (code == MPI_SUCCESS) {
        code = MPI_Start(&request);
        CHECK_SUCCESS(MPI_Request_free(&request));
    }
    CHECK_ERROR(code, MPI_ERR_OTHER);
    if (odd) {
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        code = MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    if (!odd && code == MPI_SUCCESS) {
        code = MPI_Start(&request);
        CHECK_SUCCESS(MPI_Request_free(&request));
    }
    CHECK_ERROR(code, MPI_ERR_OTHER);
    // All is well afterwards.
    int sum;
    CHECK_SUCCESS(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    return finish();
}
