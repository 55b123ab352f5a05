// MPI 5.0 section 11.2.2: "The MPI implementation must ensure that a process has completed any
// involvement in MPI communication before MPI_FINALIZE returns"; "The attached buffer is a resource
// allocated by the user, not by MPI; it is available to the user after MPI is finalized." The
// sender is in MPI_Finalize long before its messages are received.
// ranks: 2 5
#include "messages.h"

enum { kMessages = 6, kBytes = 9000 };

int main(void) {
    start(NULL, NULL);
    char *buffer = NULL, bytes[kBytes];
    if (rank > 0) {
        int bytes_attached = kMessages * (kBytes + MPI_BSEND_OVERHEAD);
        buffer = malloc((size_t)bytes_attached);
        CHECK_SUCCESS(MPI_Buffer_attach(buffer, bytes_attached));
        for (int i = 0; i < kMessages; ++i) {
            fill_bytes(bytes, kBytes, rank + i);
            CHECK_SUCCESS(MPI_Bsend(bytes, kBytes, MPI_CHAR, 0, i, MPI_COMM_WORLD));
        }
    } else {
        for (int i = kMessages; i-- > 0;)
            for (int source = 1; source < size; ++source) {
                CHECK_SUCCESS(MPI_Recv(bytes, kBytes, MPI_CHAR, source, i, MPI_COMM_WORLD,
                                       MPI_STATUS_IGNORE));
                check_bytes(bytes, kBytes, source + i);
            }
    }
    finish();
    if (buffer)
        memset(buffer, 0, kMessages * kBytes);
    free(buffer);
    return 0;
}
