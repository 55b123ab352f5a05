// MPI 5.0 section 3.7.3: MPI_REQUEST_FREE "will only mark the request for freeing and MPI will
// actually do the freeing stage of the operation associated with the request later". Section
// 11.2.2: MPI_FINALIZE returns when all operations that involve the rank are complete. Rank 0
// frees receives whose messages come when it has been in MPI_Finalize for a while.
// ranks: 2 5
// expect-not: warning
#include "messages.h"

#include <time.h>

enum { kMessages = 12, kBytes = 20000 };

static char in[kMessages][kBytes], out[kBytes];

static void sleep_a_while(void) {
    struct timespec time = {0, 300000000};
    nanosleep(&time, NULL);
}

static void post_and_free(int i) {
    MPI_Request request;
    const int source = i % 3 ? MPI_ANY_SOURCE : size - 1;
    if (i % 2 == 1)
        CHECK_SUCCESS(MPI_Irecv(in[i], kBytes, MPI_CHAR, source, i, MPI_COMM_WORLD, &request));
    else if (i > 0) {
        CHECK_SUCCESS(MPI_Recv_init(in[i], kBytes, MPI_CHAR, source, i, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Start(&request));
    } else
        CHECK_SUCCESS(MPI_Isendrecv(NULL, 0, MPI_CHAR, MPI_PROC_NULL, 0, in[i], kBytes, MPI_CHAR,
                                    source, i, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Request_free(&request));
}

// Eager and rendezvous, whose send buffer goes when they are complete; freed sends; buffered ones.
static void send_one(int i) {
    const int count = i % 4 < 2 ? 50 : kBytes;
    fill_bytes(out, kBytes, i);
    CHECK_SUCCESS(i % 2 ? MPI_Bsend(out, count, MPI_CHAR, 0, i, MPI_COMM_WORLD)
                        : MPI_Send(out, count, MPI_CHAR, 0, i, MPI_COMM_WORLD));
}

int main(void) {
    start(NULL, NULL);
    CHECK_SUCCESS(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; rank == 0 && i < kMessages; ++i)
        post_and_free(i);
    if (rank == size - 1) {
        sleep_a_while();
        for (int i = 0; i < kMessages; ++i)
            send_one(i);
    }
    const int code = finish();
    for (int i = 0; rank == 0 && i < kMessages; ++i)
        for (int b = 0; b < (i % 4 < 2 ? 50 : kBytes); ++b)
            if (in[i][b] != pattern(i, b)) {
                fprintf(stderr, "message %d has not come\n", i);
                return 1;
            }
    return code;
}
