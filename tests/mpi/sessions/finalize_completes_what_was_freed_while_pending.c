// MPI 5.0 section 11.3.1: "This rule also allows for the completion of communications the MPI
// process is involved with that may not yet be completed from the viewpoint of the underlying MPI
// system." Rank 0 frees a pending send and ends its session: the message arrives all the same.
// ranks: 2
#include "session.h"

enum { count = 100000 };

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "pending");
    int rank, *data = malloc(count * sizeof *data);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < count; ++i)
        data[i] = rank == 0 ? i : -1;
    if (rank == 0) {
        MPI_Request request;
        CHECK_SUCCESS(MPI_Isend(data, count, MPI_INT, 1, 0, comm, &request));
        CHECK_SUCCESS(MPI_Request_free(&request));
    } else {
        CHECK_SUCCESS(MPI_Recv(data, count, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(data[i], i);
    }
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    close_session(&session);
    free(data); // nobody reads it any more
    return 0;
}
