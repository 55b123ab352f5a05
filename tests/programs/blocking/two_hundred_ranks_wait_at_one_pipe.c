// ranks: 200
// timeout: 60
// A pipe of tokens, as make's job server has one: all ranks but one wait for a token at the same
// time, each puts its token back. Who sees a token may find it gone.
#include "world.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    int ends[2];
    if (rank == 0)
        CHECK_EQUAL(pipe(ends), 0);
    MPI_Bcast(ends, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int sum = 0;
    if (rank == size - 1) { // runs last
        CHECK_EQUAL(write(ends[1], "123", 3), 3);
    } else {
        for (int times = 0; times < 3; ++times) {
            char token = 0;
            CHECK_EQUAL(read(ends[0], &token, 1), 1);
            CHECK(token >= '1' && token <= '3');
            CHECK_EQUAL(write(ends[1], &token, 1), 1);
        }
        int one = 1;
        MPI_Send(&one, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == size - 1 && i < size - 1; ++i) {
        int one = 0;
        MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += one;
    }
    CHECK_EQUAL(sum, rank == size - 1 ? size - 1 : 0);
    return finish();
}
