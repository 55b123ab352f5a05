// MPI 5.0 section 6.14, example: "Multiple nonblocking collective operations can be outstanding on
// a single communicator and match in order."
// ranks: 1 2 5 16
#include "world.h"

enum { operations = 40 };

// Broadcasts, reductions and gathers of different sizes, all outstanding at once.
int main(int argc, char **argv) {
    start(&argc, &argv);
    static int data[operations][3000], result[operations][3000];
    MPI_Request requests[operations];
    for (int i = 0; i < operations; ++i) {
        int count = i % 4 == 3 ? 3000 : 1 + i, root = i % size;
        for (int j = 0; j < count; ++j)
            data[i][j] = i % 3 ? i + j + rank : rank == root ? i * 7 + j : -1;
        if (i % 3 == 0)
            CHECK_SUCCESS(MPI_Ibcast(data[i], count, MPI_INT, root, MPI_COMM_WORLD, &requests[i]));
        else if (i % 3 == 1)
            CHECK_SUCCESS(MPI_Iallreduce(data[i], result[i], count, MPI_INT, MPI_SUM,
                                         MPI_COMM_WORLD, &requests[i]));
        else
            CHECK_SUCCESS(MPI_Iscan(data[i], result[i], count, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                    &requests[i]));
    }
    CHECK_SUCCESS(MPI_Waitall(operations, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < operations; ++i) {
        int count = i % 4 == 3 ? 3000 : 1 + i;
        for (int j = 0; j < count; ++j) {
            int terms = i % 3 == 1 ? size : rank + 1;
            if (i % 3 == 0)
                CHECK_EQUAL(data[i][j], i * 7 + j);
            else
                CHECK_EQUAL(result[i][j], (i + j) * terms + terms * (terms - 1) / 2);
        }
    }
    return finish();
}
