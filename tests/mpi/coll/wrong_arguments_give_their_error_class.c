// MPI 5.0 section 9.4: error classes of bad counts, datatypes, roots, operations and buffers.
// ranks: 1 3
#include "check.h"

int main(int argc, char **argv) {
    int rank, size, in[40] = {0}, out[40] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF,
                            MPI_ERRORS_RETURN); // for the call without a communicator
    CHECK_ERROR(MPI_Bcast(in, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Bcast(in, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Bcast(in, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Allreduce(in, out, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    CHECK_ERROR(MPI_Allreduce(in, out, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
    CHECK_ERROR(MPI_Allreduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Allgather(in, -1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Allgather(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, MPI_COMM_WORLD),
                MPI_ERR_TYPE);
    int counts[40] = {0}, places[40] = {0};
    counts[size - 1] = -2;
    CHECK_ERROR(MPI_Allgatherv(in, 1, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD),
                MPI_ERR_COUNT);
    // Nothing above has put the ranks out of step.
    CHECK_SUCCESS(MPI_Allreduce_c(MPI_IN_PLACE, out, 40, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    // A block that does not fit: at the rank that sends it and at the root.
    int code =
        MPI_Gather(in, rank == size - 1 ? 2 : 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    CHECK_EQUAL(error_class, rank == 0 || rank == size - 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    MPI_Finalize();
    return 0;
}
