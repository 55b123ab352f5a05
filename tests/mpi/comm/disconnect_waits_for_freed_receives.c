// MPI 5.0 section 11.10.4: MPI_COMM_DISCONNECT "waits for all decoupled MPI activities on comm to
// complete internally", which "include any communication that is needed to complete a nonblocking
// or persistent operation on comm that was freed with MPI_REQUEST_FREE". The messages come when the
// receiver has been in MPI_Comm_disconnect for a while; one never comes.
// ranks: 2 5
// expect: ^thrum: warning: rank 0: MPI_Comm_disconnect: 1 receive freed by MPI_Request_free got no
#include "messages.h"

#include <time.h>

enum { kMessages = 40, kBytes = 20000 };

static char in[kMessages][kBytes], out[kBytes];

int main(void) {
    start(NULL, NULL);
    MPI_Comm comm;
    MPI_Request request;
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int i = 0; rank == 0 && i <= kMessages; ++i) {
        CHECK_SUCCESS(MPI_Irecv(in[i % kMessages], kBytes, MPI_CHAR,
                                i % 2 ? MPI_ANY_SOURCE : 1 + i % (size - 1), i, comm, &request));
        CHECK_SUCCESS(MPI_Request_free(&request));
    }
    if (rank > 0) {
        struct timespec time = {0, 300000000};
        nanosleep(&time, NULL);
        for (int i = 0; i < kMessages; ++i) {
            if (rank != 1 + i % (size - 1))
                continue;
            fill_bytes(out, kBytes, i);
            CHECK_SUCCESS(MPI_Send(out, i % 4 ? 50 : kBytes, MPI_CHAR, 0, i, comm));
        }
    }
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    for (int i = 0; rank == 0 && i < kMessages; ++i)
        check_bytes(in[i], i % 4 ? 50 : kBytes, i);
    return finish();
}
