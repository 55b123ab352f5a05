// MPI 5.0 section 11.3.1: "Session instantiation is intended to be a lightweight operation."
// Section 11.3: "In the Sessions Model, MPI resources can be allocated and freed multiple times in
// an MPI process."
// ranks: 2
#include "session.h"

#include <malloc.h>

static void use_sessions(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        MPI_Session session = open_session(MPI_ERRORS_RETURN);
        MPI_Comm comm = communicator_of(session, "mpi://WORLD", "again");
        check_communication(comm);
        CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
        close_session(&session);
    }
}

int main(void) {
    use_sessions(200);
    size_t before = mallinfo2().uordblks;
    use_sessions(1000);
    size_t after = mallinfo2().uordblks;
    // Counts for all ranks of the process: some are still running.
    CHECK(after < before + (128 << 10));
    return 0;
}
