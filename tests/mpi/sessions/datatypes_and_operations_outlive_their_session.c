// MPI 5.0 section 11.3.1: "For example, a datatype handle that was created when one particular
// session existed can be used in any other session (or in the World Model), even if the second
// session was initialized after the first session had already been finalized and no other session
// existed in between."
// ranks: 2
#include "session.h"

static void keep_larger(void *in, void *inout, int *length, MPI_Datatype *datatype) {
    (void)datatype;
    for (int i = 0; i < 2 * *length; ++i)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

int main(void) {
    MPI_Datatype pair;
    MPI_Op larger;
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_SUCCESS(MPI_Type_commit(&pair));
    CHECK_SUCCESS(MPI_Op_create(keep_larger, 1, &larger));
    close_session(&session);

    session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "second");
    int rank;
    MPI_Comm_rank(comm, &rank);
    int mine[2] = {rank, -rank}, result[2];
    CHECK_SUCCESS(MPI_Allreduce(mine, result, 1, pair, larger, comm));
    CHECK(result[0] == 1 && result[1] == 0);
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    close_session(&session);

    CHECK_SUCCESS(MPI_Init(NULL, NULL));
    CHECK_SUCCESS(MPI_Allreduce(mine, result, 1, pair, larger, MPI_COMM_WORLD));
    CHECK(result[0] == 1 && result[1] == 0);
    CHECK_SUCCESS(MPI_Type_free(&pair));
    CHECK_SUCCESS(MPI_Op_free(&larger));
    CHECK_SUCCESS(MPI_Finalize());
    return 0;
}
