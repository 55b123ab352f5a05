// MPI 5.0 section 3.4: "A buffered mode send operation can be started whether or not a matching
// receive has been started. It may complete before a matching receive is started"; section 3.6: the
// detach procedures "will delay their return until all messages currently in the (explicit or
// automatic) buffer have been transmitted".
// ranks: 2
#include "messages.h"

#include <stdlib.h>

enum { kMessages = 10, kCount = 20000 };

int main(void) {
    start(NULL, NULL);
    static int data[kCount];
    int other = 1 - rank;
    int room = kMessages * (kCount * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)room), *detached = NULL;
    CHECK_SUCCESS(MPI_Buffer_attach(buffer, room));
    // Both send everything first: without the buffer this would be a deadlock.
    for (int i = 0; i < kMessages; ++i) {
        data[0] = i;
        data[kCount - 1] = rank * 100 + i;
        CHECK_SUCCESS(MPI_Bsend(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD));
    }
    for (int i = 0; i < kMessages; ++i) {
        MPI_Recv(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(data[0], i);
        CHECK_EQUAL(data[kCount - 1], other * 100 + i);
    }
    int detached_bytes = -1;
    CHECK_SUCCESS(MPI_Buffer_detach(&detached, &detached_bytes));
    CHECK(detached == buffer);
    CHECK_EQUAL(detached_bytes, room);
    free(buffer);
    MPI_Finalize();
    return 0;
}
