// MPI 5.0 section 6.9.1, advice to implementors: "It is strongly recommended that MPI_REDUCE be
// implemented so that the same result be obtained whenever the function is applied on the same
// arguments, appearing in the same order."
// ranks: 1 2 7 32
#include "world.h"

#include <unistd.h>

// Sums that depend on the order of addition; the same at every rank and when repeated.
int main(int argc, char **argv) {
    enum { n = 2000 };

    static float mine[n], sum[n], again[n], of_rank_0[n];
    start(&argc, &argv);
    static const int counts[] = {1, 27, 500, n};
    for (int c = 0; c < 4; ++c) {
        int count = counts[c];
        for (int i = 0; i < count; ++i)
            mine[i] = (float)((rank * 7919 + i * 104729) % 1000003) * 1e-3f / (float)(1 + rank);
        MPI_Allreduce(mine, sum, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        for (int repetition = 0; repetition < 5; ++repetition) {
            if ((rank + repetition) % 3 == 0) // the ranks arrive in another order
                usleep((useconds_t)(100 * repetition));
            MPI_Allreduce(mine, again, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            CHECK(memcmp(sum, again, sizeof(float) * (size_t)count) == 0);
        }
        memcpy(of_rank_0, sum, sizeof of_rank_0);
        MPI_Bcast(of_rank_0, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
        CHECK(memcmp(sum, of_rank_0, sizeof(float) * (size_t)count) == 0);
        float total;
        double exact = 0, mine_exact = mine[0];
        MPI_Reduce(mine, &total, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Reduce(&mine_exact, &exact, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            CHECK(total > exact * 0.9999 - 1e-3 && total < exact * 1.0001 + 1e-3);
    }
    return finish();
}
