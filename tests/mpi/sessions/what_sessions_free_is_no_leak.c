// MPI 5.0 section 11.3: objects of a session are freed before its end, others may wait for the next
// session, and a session may end after MPI_Finalize.
// ranks: 1 3
// expect-not: warning
#include "check.h"

static MPI_Comm begin(MPI_Session *session) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
    MPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "x", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    return comm;
}

int main(int argc, char **argv) {
    MPI_Session session;
    MPI_Datatype type;
    MPI_Comm comm = begin(&session);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);

    comm = begin(&session);
    MPI_Type_free(&type);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
