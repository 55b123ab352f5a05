// Section 3.7.3 of MPI 5.0 lets a receive be freed, but a message has to come for it before the
// end. Where none can come, because every possible sender is in MPI_Finalize as well, Thrum cancels
// the receive and warns: nothing hangs.
// ranks: 2 4
// expect: ^thrum: warning: rank 0: MPI_Finalize: 3 receives freed by MPI_Request_free got no message
// expect: ^rank 0 goes on$
#include "messages.h"

#include <stdio.h>

static int in[4];

int main(void) {
    start(NULL, NULL);
    MPI_Request request;
    for (int i = 0; rank == 0 && i < 3; ++i) {
        const int source = i == 0 ? MPI_ANY_SOURCE : i == 1 ? 0 : 1;
        CHECK_SUCCESS(MPI_Irecv(&in[i], 1, MPI_INT, source, i, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Request_free(&request));
    }
    const int code = finish();
    if (rank == 0)
        puts("rank 0 goes on");
    return code;
}
