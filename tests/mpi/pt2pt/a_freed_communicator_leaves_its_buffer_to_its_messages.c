// MPI 5.0 section 7.4.3: at MPI_COMM_FREE "Any operations that use the communicator comm (whether
// active or inactive at the time of this procedure call) will continue to work": what lies in the
// buffer of a communicator that its sender has freed is still delivered, and its inactive
// persistent sends still use it. After MPI_COMM_DISCONNECT, which waits, the memory is the
// program's again.
// ranks: 2 3
#include "messages.h"

enum { kMessages = 5, kBytes = 6000, kRoom = kMessages * (kBytes + MPI_BSEND_OVERHEAD) };

static char bytes[kBytes], in[kBytes];

static void send_all(MPI_Comm comm, int right, int seed) {
    for (int i = 0; i < kMessages; ++i) {
        fill_bytes(bytes, kBytes, seed + i);
        CHECK_SUCCESS(MPI_Bsend(bytes, kBytes, MPI_CHAR, right, i, comm));
    }
}

static void receive(MPI_Comm comm, int left, int tag, int seed) {
    CHECK_SUCCESS(MPI_Recv(in, kBytes, MPI_CHAR, left, tag, comm, MPI_STATUS_IGNORE));
    check_bytes(in, kBytes, seed);
}

int main(void) {
    start(NULL, NULL);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int automatic = 0; automatic < 2; ++automatic) {
        MPI_Comm comm, copy;
        MPI_Request persistent, receives[kMessages + 1], flush;
        static char rooms[kMessages + 1][kBytes];
        char *buffer = malloc(kRoom);
        CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        CHECK_SUCCESS(
            MPI_Comm_attach_buffer(comm, automatic ? MPI_BUFFER_AUTOMATIC : buffer, kRoom));
        send_all(comm, right, 10 * rank);
        CHECK_SUCCESS(MPI_Comm_iflush_buffer(comm, &flush));
        CHECK_SUCCESS(MPI_Bsend_init(bytes, kBytes, MPI_CHAR, right, kMessages, comm, &persistent));
        // The messages are matched by probes before the communicator goes, and received afterwards.
        MPI_Message messages[kMessages];
        for (int i = 0; i < kMessages; ++i)
            CHECK_SUCCESS(MPI_Mprobe(left, i, comm, &messages[i], MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Irecv(rooms[kMessages], kBytes, MPI_CHAR, left, kMessages, comm,
                                &receives[kMessages]));
        CHECK_SUCCESS(MPI_Comm_free(&comm));
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // all have freed it
        for (int i = 0; i < kMessages; ++i)
            CHECK_SUCCESS(MPI_Imrecv(rooms[i], kBytes, MPI_CHAR, &messages[i], &receives[i]));
        CHECK_SUCCESS(MPI_Wait(&flush, MPI_STATUS_IGNORE)); // there is room again
        fill_bytes(bytes, kBytes, 10 * rank + kMessages);
        CHECK_SUCCESS(MPI_Start(&persistent));
        CHECK_SUCCESS(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Waitall(kMessages + 1, receives, MPI_STATUSES_IGNORE));
        for (int i = 0; i <= kMessages; ++i)
            check_bytes(rooms[i], kBytes, 10 * left + i);
        CHECK_SUCCESS(MPI_Request_free(&persistent));
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        memset(buffer, 0, kRoom);

        CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
        CHECK_SUCCESS(
            MPI_Comm_attach_buffer(copy, automatic ? MPI_BUFFER_AUTOMATIC : buffer, kRoom));
        send_all(copy, right, 30 + rank);
        for (int i = kMessages; i-- > 0;)
            receive(copy, left, i, 30 + left + i);
        CHECK_SUCCESS(MPI_Comm_disconnect(&copy));
        CHECK(copy == MPI_COMM_NULL);
        free(buffer);
    }
    return finish();
}
