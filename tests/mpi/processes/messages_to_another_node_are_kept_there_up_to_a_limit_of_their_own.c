// Messages of up to THRUM_NETWORK_EAGER_LIMIT bytes (64 KiB) to a rank of another node do not wait
// for it: their data travel with the envelope. What a rank does not receive is no more than
// THRUM_BUFFERED_LIMIT (about) all the same: then senders wait. Nothing is lost, and order is kept.
//
// ranks: 2 4
// env: THRUM_BUFFERED_LIMIT=2M
// modes: hosts
#include "variables.h"

#include <unistd.h>

enum { bytes_max = 64 << 10, unreceived = 16, messages = 500 };

static char data[bytes_max];

static int length_of(int number) {
    return number % 3 ? bytes_max : 5000 + number;
}

static void send_number(int number, int dest, int tag) {
    memset(data, number & 127, sizeof data);
    CHECK_SUCCESS(MPI_Send(data, length_of(number), MPI_CHAR, dest, tag, MPI_COMM_WORLD));
    memset(data, -1, sizeof data); // the buffer is the sender's own again
}

static void receive_number(int number, int source, int tag) {
    MPI_Status status;
    int count;
    CHECK_SUCCESS(MPI_Recv(data, bytes_max, MPI_CHAR, source, tag, MPI_COMM_WORLD, &status));
    MPI_Get_count(&status, MPI_CHAR, &count);
    CHECK_EQUAL(count, length_of(number));
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(data[i], number & 127);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    start_tools();
    // Neighbours are on different nodes.
    const int other = rank ^ 1;
    for (int number = 0; number < unreceived; ++number)
        send_number(number, other, 1);
    CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_CHAR, other, 2, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_CHAR, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int number = 0; number < unreceived; ++number)
        receive_number(number, other, 1);

    if (rank % 2) {
        for (int number = 0; number < messages; ++number)
            send_number(number, other, 3);
    } else {
        MPI_T_pvar_handle level = measure("unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL, NULL);
        unsigned long long most = 0;
        for (int round = 0; round < 100; ++round) {
            usleep(2000);
            const unsigned long long now = value_of(level);
            most = now > most ? now : most;
        }
        CHECK(most > 1 << 20);
        // Messages under way when the limit was reached come on top.
        CHECK(most < (unsigned long long)messages * bytes_max / 2);
        for (int number = 0; number < messages; ++number)
            receive_number(number, other, 3);
    }
    return finish();
}
