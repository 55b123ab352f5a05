// MPI 5.0 section 9.2: "In some systems, message-passing and remote-memory-access (RMA) operations
// run faster when accessing specially allocated memory (e.g., memory that is shared by the other
// processes in the communicating group on an SMP)." MPI_FREE_MEM "may raise an error of class
// MPI_ERR_BASE to indicate an invalid base argument."
//
// Large messages out of such memory and into it, out of ordinary memory, and between the two, while
// the sender waits or computes; several receivers read one sender's memory at the same time.
//
// ranks: 2 4
// modes: processes processes-2
#include "messages.h"

enum { most = 5000000 };

static char *allocated(void) {
    char *memory;
    CHECK_SUCCESS(MPI_Alloc_mem(most, MPI_INFO_NULL, &memory));
    return memory;
}

static void compute_until_done(MPI_Request *request) {
    volatile double x = 1;
    for (int done = 0; !done; MPI_Test(request, &done, MPI_STATUS_IGNORE))
        for (int i = 0; i < 100000; ++i)
            x = x * 1.0000001;
}

// From rank 0 to all others.
static void send_all(char *out, char *in, int bytes, int computes) {
    if (rank > 0) {
        memset(in, 0, (size_t)bytes);
        CHECK_SUCCESS(MPI_Recv(in, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        check_bytes(in, bytes, 0);
        return;
    }
    fill_bytes(out, bytes, 0);
    MPI_Request requests[16];
    for (int to = 1; to < size; ++to)
        CHECK_SUCCESS(MPI_Isend(out, bytes, MPI_CHAR, to, 1, MPI_COMM_WORLD, &requests[to]));
    for (int to = 1; to < size && computes; ++to)
        compute_until_done(&requests[to]);
    CHECK_SUCCESS(MPI_Waitall(size - 1, requests + 1, MPI_STATUSES_IGNORE));
}

static void exchange(char *out, char *in, size_t bytes) {
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    fill_bytes(out, (int)bytes, rank);
    memset(in, 0, bytes);
    CHECK_SUCCESS(MPI_Sendrecv(out, (int)bytes, MPI_CHAR, next, 2, in, (int)bytes, MPI_CHAR,
                               previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    check_bytes(in, (int)bytes, previous);
}

int main(void) {
    start_with_errors_returned();
    static char ordinary[2][most];
    char *others[2] = {allocated(), allocated()};
    const int sizes[] = {60000, 180001, 540004, 1620013, most};
    for (int kinds = 0; kinds < 4; ++kinds)
        for (int i = 0; i < 5; ++i) {
            const int bytes = sizes[i];
            char *out = kinds & 1 ? ordinary[0] : others[0];
            char *in = kinds & 2 ? ordinary[1] : others[1];
            send_all(out, in, bytes, 0);
            send_all(out, in, bytes, 1);
            exchange(out, in, (size_t)bytes);
        }
    // Memory that is given back and allocated again.
    for (int i = 0; i < 20; ++i) {
        CHECK_SUCCESS(MPI_Free_mem(others[i % 2]));
        others[i % 2] = allocated();
        exchange(others[0], others[1], (size_t)(100000 * (i + 1)));
    }
    for (int i = 0; i < 2; ++i)
        CHECK_SUCCESS(MPI_Free_mem(others[i]));
    return finish();
}
