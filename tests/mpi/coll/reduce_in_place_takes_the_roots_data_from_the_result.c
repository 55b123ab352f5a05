// MPI 5.0 section 6.9.1: "The 'in place' option for intra-communicators is specified by passing the
// value MPI_IN_PLACE to the argument sendbuf at the root. In such a case, the input data is taken
// at the root from the receive buffer, where it will be replaced by the output data."
// ranks: 1 2 5 33
#include "world.h"

int main(int argc, char **argv) {
    static int mine[4000], result[4000];
    start(&argc, &argv);
    for (int root = 0; root < size; ++root)
        for (int count = 1; count <= 4000; count += 3999) {
            for (int i = 0; i < count; ++i) {
                mine[i] = rank * 3 + i;
                result[i] = rank == root ? mine[i] : -1;
            }
            MPI_Reduce(rank == root ? MPI_IN_PLACE : mine, result, count, MPI_INT, MPI_SUM, root,
                       MPI_COMM_WORLD);
            for (int i = 0; i < count; ++i) {
                CHECK_EQUAL(result[i], rank == root ? 3 * size * (size - 1) / 2 + size * i : -1);
                CHECK_EQUAL(mine[i], rank * 3 + i);
            }
            memcpy(result, mine, sizeof mine);
            MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            for (int i = 0; i < count; ++i)
                CHECK_EQUAL(result[i], 3 * size * (size - 1) / 2 + size * i);
        }
    return finish();
}
