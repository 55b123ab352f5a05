// MPI 5.0 section 3.7: nonblocking communication: all sends and receives of a rank may be pending
// at once, also with itself.
// ranks: 1 2 5 32
#include "messages.h"

#include <stdlib.h>

enum { kCount = 1500 };

int main(void) {
    start(NULL, NULL);
    int *in = malloc(sizeof(int) * kCount * (size_t)size);
    int *out = malloc(sizeof(int) * kCount * (size_t)size);
    MPI_Request *requests = malloc(sizeof(MPI_Request) * 2 * (size_t)size);
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < kCount; ++k)
            out[i * kCount + k] = rank * 1000000 + i * 2000 + k;
        MPI_Irecv(in + i * kCount, kCount, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < size; ++i)
        MPI_Isend(out + i * kCount, kCount, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[size + i]);
    CHECK_SUCCESS(MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < kCount; ++k)
            CHECK_EQUAL(in[i * kCount + k], i * 1000000 + rank * 2000 + k);
    free(in);
    free(out);
    free(requests);
    MPI_Finalize();
    return 0;
}
