// MPI 5.0 section 3.6: MPI_COMM_ATTACH_BUFFER: "provides to MPI a communicator-specific buffer in
// memory. This is to be used for buffering outgoing messages" of that communicator only;
// MPI_BUFFER_AUTOMATIC lets MPI allocate what is needed.
// ranks: 1
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    static char data[1000], in[1000], buffer[1000 + MPI_BSEND_OVERHEAD];
    void *address;
    int size_bytes;
    MPI_Comm one, automatic;
    MPI_Comm_dup(MPI_COMM_SELF, &one);
    MPI_Comm_dup(MPI_COMM_SELF, &automatic);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Comm_attach_buffer(one, buffer, sizeof buffer));
    CHECK_SUCCESS(MPI_Comm_attach_buffer(automatic, MPI_BUFFER_AUTOMATIC, 0));
    CHECK_ERROR(MPI_Bsend(data, 1000, MPI_CHAR, 0, 0, MPI_COMM_SELF), MPI_ERR_BUFFER);
    fill_bytes(data, 1000, 3);
    CHECK_SUCCESS(MPI_Bsend(data, 1000, MPI_CHAR, 0, 0, one));
    for (int i = 0; i < 20; ++i)
        CHECK_SUCCESS(MPI_Bsend(data, 1000, MPI_CHAR, 0, 0, automatic));
    for (int i = 0; i < 20; ++i) {
        in[999] = 0;
        MPI_Recv(in, 1000, MPI_CHAR, 0, 0, automatic, MPI_STATUS_IGNORE);
        check_bytes(in, 1000, 3);
    }
    MPI_Recv(in, 1000, MPI_CHAR, 0, 0, one, MPI_STATUS_IGNORE);
    check_bytes(in, 1000, 3);
    CHECK_SUCCESS(MPI_Comm_flush_buffer(one));
    CHECK_SUCCESS(MPI_Comm_detach_buffer(one, &address, &size_bytes));
    CHECK(address == buffer);
    CHECK_EQUAL(size_bytes, sizeof buffer);
    CHECK_SUCCESS(MPI_Comm_detach_buffer(automatic, &address, &size_bytes));
    CHECK(address == MPI_BUFFER_AUTOMATIC);
    MPI_Comm_free(&one);
    MPI_Comm_free(&automatic);
    MPI_Finalize();
    return 0;
}
