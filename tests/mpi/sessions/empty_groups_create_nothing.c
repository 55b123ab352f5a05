// MPI 5.0 section 7.4.2: "In the event that MPI_GROUP_EMPTY is supplied as the group argument, then
// the call is a local operation and MPI_COMM_NULL is returned as newcomm." Section 7.6.2: "In the
// event that MPI_GROUP_EMPTY is supplied as the local_group or remote_group or both, then the call
// is a local operation and MPI_COMM_NULL is returned as the newintercomm."
// ranks: 3
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Group world;
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    MPI_Comm comm = (MPI_Comm)1;
    CHECK_SUCCESS(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "nobody", MPI_INFO_NULL,
                                             MPI_ERRORS_RETURN, &comm));
    CHECK(comm == MPI_COMM_NULL);
    int rank;
    MPI_Group_rank(world, &rank);
    if (rank == 1) { // local: nobody else calls
        comm = (MPI_Comm)1;
        CHECK_SUCCESS(MPI_Intercomm_create_from_groups(world, 0, MPI_GROUP_EMPTY, 0, "nobody",
                                                       MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        CHECK(comm == MPI_COMM_NULL);
        comm = (MPI_Comm)1;
        CHECK_SUCCESS(MPI_Intercomm_create_from_groups(MPI_GROUP_EMPTY, 0, world, 0, "nobody",
                                                       MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        CHECK(comm == MPI_COMM_NULL);
    }
    MPI_Group_free(&world);
    close_session(&session);
    return 0;
}
