// MPI 5.0 sections 6.11.1 and 6.11.2: "The 'in place' option ... is specified by passing
// MPI_IN_PLACE in the sendbuf argument. In this case, the input data is taken from the receive
// buffer, and replaced by the output data."; for MPI_EXSCAN "the receive buffer on rank 0 is not
// changed".
// ranks: 1 2 5 33
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int counts[] = {0, 1, 10, 5000};
    static long values[5001];
    for (int c = 0; c < 4; ++c)
        for (int exclusive = 0; exclusive < 2; ++exclusive) {
            int count = counts[c];
            for (int i = 0; i <= count; ++i)
                values[i] = rank + i;
            if (exclusive)
                MPI_Exscan(MPI_IN_PLACE, values, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            else
                MPI_Scan(MPI_IN_PLACE, values, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            long last = rank - exclusive; // the last rank that is in the sum
            for (int i = 0; i < count; ++i)
                CHECK_EQUAL(values[i], last < 0 ? i : last * (last + 1) / 2 + (last + 1) * i);
            CHECK_EQUAL(values[count], rank + count);
        }
    return finish();
}
