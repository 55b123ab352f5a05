// MPI 5.0 section 3.6: a program attaches the bytes of its messages and MPI_BSEND_OVERHEAD for
// each. Programs that know of a smaller overhead, that of another MPI, find room as well: a message
// takes as many bytes of the buffer as it has.
// ranks: 2
#include "messages.h"

enum { kMessages = 100, kBytes = 37 };

int main(void) {
    start_with_errors_returned();
    static char buffer[kMessages * kBytes];
    char data[kBytes];
    void *address;
    int bytes;
    for (int round = 0; round < 3; ++round) {
        if (rank == 0) {
            CHECK_SUCCESS(MPI_Buffer_attach(buffer, sizeof buffer));
            for (int i = 0; i < kMessages; ++i) {
                fill_bytes(data, kBytes, i);
                CHECK_SUCCESS(MPI_Bsend(data, kBytes, MPI_CHAR, 1, i, MPI_COMM_WORLD));
            }
            // It is full, unless the messages have been delivered meanwhile.
            MPI_Barrier(MPI_COMM_WORLD);
            CHECK_SUCCESS(MPI_Buffer_detach(&address, &bytes));
            CHECK(address == buffer && bytes == (int)sizeof buffer);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            for (int i = kMessages; i-- > 0;) {
                CHECK_SUCCESS(
                    MPI_Recv(data, kBytes, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                check_bytes(data, kBytes, i);
            }
        }
    }
    return finish();
}
