// ranks: 2
// MPI 5.0 section 9.4 (error classes) under MPI_ERRORS_RETURN (section 9.3): each bad argument
// gives the class that the standard names for it.
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int value = 0;
    MPI_Datatype uncommitted;
    MPI_Request request;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, -7, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Send(&value, 1, uncommitted, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Irecv(&value, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    CHECK_ERROR(MPI_Group_rank(MPI_GROUP_NULL, &value), MPI_ERR_GROUP);
    CHECK_SUCCESS(MPI_Type_free(&uncommitted));
    return finish();
}
