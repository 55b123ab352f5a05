// MPI 5.0 section 2.7: "An MPI program consists of autonomous processes, executing their own code,
// in an MIMD style": what one rank writes to its variables no other rank sees.
// ranks: 1 2 5 64
#include "check.h"

static int counter = 7;
static int zeroed[100];
int *pointer_to_counter = &counter;

static int next(void) {
    static int calls = 0;
    return ++calls;
}

int main(int argc, char **argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(counter, 7);
    CHECK(pointer_to_counter == &counter);
    counter += rank;
    for (int i = 0; i < 100; ++i)
        zeroed[i] += rank + i;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i <= rank; ++i)
        CHECK_EQUAL(next(), i + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(*pointer_to_counter, 7 + rank);
    for (int i = 0; i < 100; ++i)
        CHECK_EQUAL(zeroed[i], rank + i);
    MPI_Finalize();
    return 0;
}
