// MPI 5.0 section 3.4: "An error will occur if there is insufficient buffer space": a buffered send
// that does not fit, or without a buffer, has class MPI_ERR_BUFFER; and the communicator stays
// usable.
// ranks: 1
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    static char data[2000], buffer[500 + MPI_BSEND_OVERHEAD];
    void *address;
    int size_bytes, flag = -1;
    CHECK_ERROR(MPI_Bsend(data, 2000, MPI_CHAR, 0, 0, MPI_COMM_SELF), MPI_ERR_BUFFER);
    CHECK_SUCCESS(MPI_Buffer_attach(buffer, sizeof buffer));
    CHECK_ERROR(MPI_Buffer_attach(data, sizeof data), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Bsend(data, 2000, MPI_CHAR, 0, 0, MPI_COMM_SELF), MPI_ERR_BUFFER);
    MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    CHECK_EQUAL(flag, 0);
    fill_bytes(data, 500, 1);
    CHECK_SUCCESS(MPI_Bsend(data, 500, MPI_CHAR, 0, 0, MPI_COMM_SELF));
    CHECK_SUCCESS(MPI_Recv(data, 500, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    check_bytes(data, 500, 1);
    CHECK_SUCCESS(MPI_Buffer_detach(&address, &size_bytes));
    CHECK(address == buffer);
    MPI_Finalize();
    return 0;
}
