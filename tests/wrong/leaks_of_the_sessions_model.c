// Without MPI_Init: what is left after the last session, when the rank ends.
// ranks: 3
// expect: warning: 3 groups made by MPI_Group_from_session_pset at .*:14 in main .* freed \(ranks 0-2, one each\)$
// expect: warning: 3 requests made by MPI_Irecv at .*:16 in main .* completed \(ranks 0-2, one each\)$
#include <mpi.h>

int main(void) {
    static int value;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "leaks", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &request);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
