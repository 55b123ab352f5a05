// MPI 5.0 section 5.1.9: "A datatype object has to be committed before it can be used in a
// communication. As an argument in datatype constructors, uncommitted and also committed datatypes
// can be used. There is no need to commit basic datatypes. They are 'pre-committed.'"
// ranks: 1 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type, outer, dup;
    int values[8] = {0};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_contiguous(2, type, &outer);
    CHECK_ERROR(MPI_Send(values, 1, type, rank, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Recv(values, 1, type, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_commit(&outer);
    CHECK_SUCCESS(MPI_Bcast(values, 1, outer, 0, MPI_COMM_WORLD));
    MPI_Type_dup(type, &dup); // the committed state is copied
    CHECK_ERROR(MPI_Bcast(values, 1, dup, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_free(&dup);
    MPI_Type_dup(outer, &dup);
    CHECK_SUCCESS(MPI_Bcast(values, 1, dup, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Type_commit(&outer)); // again: no effect
    MPI_Type_free(&dup);
    MPI_Type_free(&type);
    MPI_Type_free(&outer);
    return finish();
}
