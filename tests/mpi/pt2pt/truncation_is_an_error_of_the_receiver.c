// MPI 5.0 section 3.2.4: "An overflow error occurs if all incoming data does not fit, without
// truncation, into the receive buffer": class MPI_ERR_TRUNCATE; nothing behind the buffer is
// written, the sender notices nothing, and the next message arrives.
// ranks: 2
#include "messages.h"

static char data[200000];

static void check_size(int count, int room, int tag) {
    if (rank == 0) {
        CHECK_SUCCESS(MPI_Send(data, count, MPI_CHAR, 1, tag, MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Send(data, 1, MPI_CHAR, 1, tag, MPI_COMM_WORLD));
        return;
    }
    for (int i = room; i < 200000; ++i)
        data[i] = 'z';
    CHECK_ERROR(MPI_Recv(data, room, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                MPI_ERR_TRUNCATE);
    for (int i = room; i < 200000; ++i)
        CHECK_EQUAL(data[i], 'z');
    CHECK_SUCCESS(MPI_Recv(data, room + 1, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(void) {
    start_with_errors_returned();
    check_size(1, 0, 1);
    check_size(100, 99, 2);
    check_size(5000, 10, 3);
    check_size(150000, 149999, 4);
    MPI_Finalize();
    return 0;
}
