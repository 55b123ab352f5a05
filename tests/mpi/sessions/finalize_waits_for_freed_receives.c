// MPI 5.0 section 11.3.1: MPI_SESSION_FINALIZE completes what the rank is involved in. Rank 0 frees
// receives, the messages for which come when it has been in MPI_Session_finalize for a while. The
// second time none comes: the receive is cancelled once the others have ended their sessions.
// ranks: 2 4
// expect: ^thrum: warning: rank 0: MPI_Session_finalize: 1 receive freed by MPI_Request_free got no
#include "session.h"

#include <time.h>

enum { count = 100000 };

static int in[2][count], out[count];

static void check_received(int rank) {
    for (int i = 0; rank == 0 && i < count; ++i)
        if (in[0][i] != i || in[1][i] != (i < 10 ? i : 0)) {
            fprintf(stderr, "element %d is %d, %d\n", i, in[0][i], in[1][i]);
            exit(1);
        }
}

int main(void) {
    MPI_Request request;
    int rank;
    for (int round = 0; round < 2; ++round) {
        MPI_Session session = open_session(MPI_ERRORS_RETURN);
        MPI_Comm comm = communicator_of(session, "mpi://WORLD", "pending");
        MPI_Comm_rank(comm, &rank);
        for (int i = 0; i < count; ++i)
            out[i] = i;
        if (rank == 0) {
            for (int tag = 0; tag < 2 - round; ++tag) {
                CHECK_SUCCESS(
                    MPI_Irecv(in[tag], count, MPI_INT, MPI_ANY_SOURCE, tag, comm, &request));
                CHECK_SUCCESS(MPI_Request_free(&request));
            }
        } else if (rank == 1 && round == 0) {
            struct timespec time = {0, 300000000};
            nanosleep(&time, NULL);
            CHECK_SUCCESS(MPI_Send(out, count, MPI_INT, 0, 0, comm));
            CHECK_SUCCESS(MPI_Send(out, 10, MPI_INT, 0, 1, comm));
        }
        CHECK_SUCCESS(MPI_Comm_free(&comm));
        close_session(&session);
        check_received(rank);
    }
    return 0;
}
