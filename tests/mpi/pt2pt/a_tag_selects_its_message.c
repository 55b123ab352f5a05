// MPI 5.0 section 3.2.4: "A message can be received by a receive operation if its envelope matches
// the source, tag and comm values specified by the receive operation": older messages with other
// tags stay where they are.
// ranks: 2
#include "messages.h"

enum { kTags = 100 };

int main(void) {
    start(NULL, NULL);
    if (rank == 0) {
        for (int tag = 0; tag < kTags; ++tag)
            MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else {
        for (int i = kTags - 1; i >= 0; --i) {
            int value = -1, tag = (i * 37) % kTags;
            MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_EQUAL(value, tag);
        }
    }
    MPI_Finalize();
    return 0;
}
