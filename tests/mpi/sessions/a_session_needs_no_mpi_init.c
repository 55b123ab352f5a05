// MPI 5.0 section 11.3: "With this approach, an MPI application, or components of the application,
// can instantiate MPI resources for the specific communication needs of this component.
// MPI_COMM_WORLD is not valid for use as a communicator."
// ranks: 1 2 5
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "org.example.all");
    check_communication(comm);
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size, got = -1;
    CHECK_SUCCESS(MPI_Sendrecv(&rank, 1, MPI_INT, right, 3, &got, 1, MPI_INT, left, 3, comm,
                               MPI_STATUS_IGNORE));
    CHECK_EQUAL(got, left);
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    close_session(&session);
    return 0;
}
