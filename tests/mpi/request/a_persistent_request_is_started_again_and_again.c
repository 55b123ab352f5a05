// MPI 5.0 section 3.9: "A persistent communication request is inactive after it was created---no
// active communication is attached to the request"; "The request becomes active once the call is
// made"; a call that completes it makes it inactive again, and MPI_REQUEST_FREE releases it.
// ranks: 2 5
#include "messages.h"

enum { kModes = 4, kRounds = 6 };

typedef int SendInit(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

int main(void) {
    start_with_errors_returned();
    static SendInit *const inits[kModes] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init,
                                            MPI_Rsend_init};
    static char buffer[kModes * (2000 + MPI_BSEND_OVERHEAD)];
    static char out[kModes][2000], in[kModes][2000];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request sends[kModes], receives[kModes];
    CHECK_SUCCESS(MPI_Buffer_attach(buffer, sizeof buffer));
    for (int mode = 0; mode < kModes; ++mode) {
        CHECK_SUCCESS(
            inits[mode](out[mode], 2000, MPI_CHAR, right, mode, MPI_COMM_WORLD, &sends[mode]));
        CHECK_SUCCESS(
            MPI_Recv_init(in[mode], 2000, MPI_CHAR, left, mode, MPI_COMM_WORLD, &receives[mode]));
    }
    for (int round = 0; round < kRounds; ++round) {
        // Nothing is under way: all would wait for ever if the requests were active.
        CHECK_SUCCESS(MPI_Waitall(kModes, sends, MPI_STATUSES_IGNORE));
        CHECK_SUCCESS(MPI_Waitall(kModes, receives, MPI_STATUSES_IGNORE));
        for (int mode = 0; mode < kModes; ++mode)
            fill_bytes(out[mode], 2000, 100 * rank + 10 * round + mode);
        CHECK_SUCCESS(MPI_Startall(kModes, receives));
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // the ready mode needs its receive
        for (int mode = 0; mode < kModes; ++mode)
            CHECK_SUCCESS(MPI_Start(&sends[mode]));
        for (int mode = 0; mode < kModes; ++mode) {
            MPI_Request same = receives[mode];
            MPI_Status status;
            CHECK_SUCCESS(MPI_Wait(&receives[mode], &status));
            CHECK(receives[mode] == same);
            CHECK(status.MPI_SOURCE == left && status.MPI_TAG == mode);
            check_bytes(in[mode], 2000, 100 * left + 10 * round + mode);
        }
        CHECK_SUCCESS(MPI_Waitall(kModes, sends, MPI_STATUSES_IGNORE));
    }
    for (int mode = 0; mode < kModes; ++mode) {
        CHECK_SUCCESS(MPI_Request_free(&sends[mode]));
        CHECK_SUCCESS(MPI_Request_free(&receives[mode]));
        CHECK(sends[mode] == MPI_REQUEST_NULL && receives[mode] == MPI_REQUEST_NULL);
    }
    void *detached;
    int detached_size;
    CHECK_SUCCESS(MPI_Buffer_detach(&detached, &detached_size));
    return finish();
}
