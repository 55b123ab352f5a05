// MPI 5.0 section 11.3.1: "An MPI process may instantiate multiple Sessions." Section 11.3: "Note
// that an application may employ both the Sessions Model and World Model concurrently".
// ranks: 2 4
#include "session.h"

enum { sessions_count = 5 };

int main(int argc, char **argv) {
    MPI_Session before = open_session(MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Init(&argc, &argv));
    MPI_Session sessions[sessions_count];
    MPI_Comm comms[sessions_count];
    int rank, result;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < sessions_count; ++i) {
        sessions[i] = open_session(MPI_ERRORS_RETURN);
        char tag[32];
        snprintf(tag, sizeof tag, "library %d", i);
        comms[i] = communicator_of(sessions[i], "mpi://WORLD", tag);
        MPI_Comm_compare(comms[i], MPI_COMM_WORLD, &result);
        CHECK_EQUAL(result, MPI_CONGRUENT);
    }
    // The same envelope on each communicator: contexts keep them apart.
    int size, got;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < sessions_count; ++i) {
        int value = 100 * i + rank;
        CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, right, 0, comms[i]));
    }
    for (int i = sessions_count - 1; i >= 0; --i) {
        CHECK_SUCCESS(MPI_Recv(&got, 1, MPI_INT, left, 0, comms[i], MPI_STATUS_IGNORE));
        CHECK_EQUAL(got, 100 * i + left);
    }
    for (int i = 0; i < sessions_count; i += 2) {
        CHECK_SUCCESS(MPI_Comm_disconnect(&comms[i]));
        close_session(&sessions[i]);
    }
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Finalize());
    for (int i = 1; i < sessions_count; i += 2) { // they outlive the World Model
        check_communication(comms[i]);
        CHECK_SUCCESS(MPI_Comm_disconnect(&comms[i]));
        close_session(&sessions[i]);
    }
    close_session(&before);
    return 0;
}
