// ranks: 4
// timeout: 30
// exit: 86
// expect: DEADLOCK: all 4 ranks are blocked
// expect: ranks 0-3: MPI_Recv from rank
// Threads that have served blocking calls do not count as somebody who could still act.
#include "pairs.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int ends[2];
    char byte = 0;
    if (is_first)
        CHECK_EQUAL(pipe(ends), 0);
    share(ends, 2);
    if (is_first)
        CHECK_EQUAL(read(ends[0], &byte, 1), 1);
    else
        CHECK_EQUAL(write(ends[1], "x", 1), 1);
    MPI_Recv(&byte, 1, MPI_CHAR, partner, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
