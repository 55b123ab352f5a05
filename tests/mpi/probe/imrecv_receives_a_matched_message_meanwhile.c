// MPI 5.0 section 3.8.3: "MPI_IMRECV is the nonblocking variant of MPI_MRECV and starts a
// nonblocking receive of a matched message"; "On return from this function, the message handle is
// set to MPI_MESSAGE_NULL."
// ranks: 2 4
#include "messages.h"

enum { kMessages = 12 };

static int length_of(int tag) {
    return tag % 3 == 0 ? 3 : tag % 3 == 1 ? 3000 : 60000;
}

int main(void) {
    start(NULL, NULL);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    static char out[kMessages][60000], in[kMessages][60000];
    MPI_Request sends[kMessages], receives[kMessages];
    MPI_Status statuses[kMessages];
    for (int tag = 0; tag < kMessages; ++tag) {
        fill_bytes(out[tag], length_of(tag), rank * kMessages + tag);
        // Also synchronous ones: they complete when the matched message is received.
        CHECK_SUCCESS((tag % 2 ? MPI_Isend : MPI_Issend)(out[tag], length_of(tag), MPI_CHAR, right,
                                                         tag, MPI_COMM_WORLD, &sends[tag]));
    }
    for (int i = 0; i < kMessages; ++i) {
        int tag = i * 5 % kMessages, count = -1;
        MPI_Message message;
        CHECK_SUCCESS(MPI_Mprobe(left, tag, MPI_COMM_WORLD, &message, &statuses[i]));
        CHECK_SUCCESS(MPI_Get_count(&statuses[i], MPI_CHAR, &count));
        CHECK_EQUAL(count, length_of(tag));
        CHECK_SUCCESS(MPI_Imrecv(in[i], count, MPI_CHAR, &message, &receives[i]));
        CHECK(message == MPI_MESSAGE_NULL);
    }
    CHECK_SUCCESS(MPI_Waitall(kMessages, receives, statuses));
    for (int i = 0; i < kMessages; ++i) {
        int tag = i * 5 % kMessages;
        CHECK(statuses[i].MPI_TAG == tag && statuses[i].MPI_SOURCE == left);
        check_bytes(in[i], length_of(tag), left * kMessages + tag);
    }
    CHECK_SUCCESS(MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE));
    return finish();
}
