// MPI 5.0 section 6.9.6: "MPI_ALLREDUCE behaves the same as MPI_REDUCE except that the result
// appears in the receive buffer of all the group members."
// ranks: 1 2 5 33
#include "check.h"

#include <numeric>
#include <vector>

int main(int argc, char **argv) {
    int rank = 0, size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> values(1000), sums(1000);
    std::iota(values.begin(), values.end(), rank);
    MPI_Allreduce(values.data(), sums.data(), 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 1000; ++i)
        CHECK_EQUAL(sums[static_cast<size_t>(i)], i * size + size * (size - 1) / 2);
    MPI_Finalize();
    return 0;
}
