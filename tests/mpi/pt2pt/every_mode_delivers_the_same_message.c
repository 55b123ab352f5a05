// MPI 5.0 section 3.4: "there are three additional communication modes": buffered, synchronous and
// ready. "There is only one receive operation, but it matches any of the send modes."
// ranks: 2
#include "messages.h"

#include <stdlib.h>

enum { kSizes = 7, kModes = 12 };

static const int sizes[kSizes] = {0, 1, 64, 1000, 8192, 65536, 300000};

// Modes 0-3 blocking, 4-7 nonblocking, 8-11 persistent: standard, buffered, synchronous, ready.
static void send(int mode, const char *data, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm comm = MPI_COMM_WORLD;
    switch (mode) {
    case 0:
        MPI_Send(data, count, MPI_CHAR, 1, mode, comm);
        break;
    case 1:
        MPI_Bsend(data, count, MPI_CHAR, 1, mode, comm);
        break;
    case 2:
        MPI_Ssend(data, count, MPI_CHAR, 1, mode, comm);
        break;
    case 3:
        MPI_Rsend(data, count, MPI_CHAR, 1, mode, comm);
        break;
    case 4:
        MPI_Isend(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 5:
        MPI_Ibsend(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 6:
        MPI_Issend(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 7:
        MPI_Irsend(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 8:
        MPI_Send_init(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 9:
        MPI_Bsend_init(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 10:
        MPI_Ssend_init(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    case 11:
        MPI_Rsend_init(data, count, MPI_CHAR, 1, mode, comm, &request);
        break;
    }
    if (mode >= 8)
        CHECK_SUCCESS(MPI_Start(&request));
    if (mode >= 4)
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (mode >= 8)
        CHECK_SUCCESS(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

int main(void) {
    start(NULL, NULL);
    static char data[300000], attached[400000 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(attached, sizeof attached);
    for (int s = 0; s < kSizes; ++s) {
        for (int mode = 0; mode < kModes; ++mode) {
            if (rank == 0) {
                fill_bytes(data, sizes[s], mode);
                // The receive is posted: a ready send is allowed.
                MPI_Recv(NULL, 0, MPI_CHAR, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                send(mode, data, sizes[s]);
            } else {
                MPI_Request request;
                MPI_Status status;
                int count;
                data[sizes[s] < 300000 ? sizes[s] : 0] = 'z';
                MPI_Irecv(data, 300000, MPI_CHAR, 0, mode, MPI_COMM_WORLD, &request);
                MPI_Send(NULL, 0, MPI_CHAR, 0, 99, MPI_COMM_WORLD);
                MPI_Wait(&request, &status);
                MPI_Get_count(&status, MPI_CHAR, &count);
                CHECK_EQUAL(count, sizes[s]);
                CHECK_EQUAL(status.MPI_TAG, mode);
                check_bytes(data, count, mode);
                CHECK(count == 300000 || data[count] == 'z');
            }
        }
    }
    void *address;
    int size_bytes;
    MPI_Buffer_detach(&address, &size_bytes);
    CHECK(address == attached);
    CHECK_EQUAL(size_bytes, sizeof attached);
    MPI_Finalize();
    return 0;
}
