// How many processes a collective operation exchanges with.
#include "comm/testing/processes.h"
#include "entry/calls.h"
#include "mpi/peers.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Peers, AreThoseWithWhomACollectiveOperationExchanges) {
    run_processes(6, [](Process &self) {
        EXPECT_EQ(peers_of(MPI_COMM_WORLD), 6);
        EXPECT_EQ(peers_of(MPI_COMM_NULL), 0);
        EXPECT_EQ(destinations_of(MPI_COMM_WORLD), 0); // has no topology
        EXPECT_EQ(sources_of(MPI_COMM_NULL), 0);
        const int dims[2] = {3, 2}, periods[2] = {0, 1};
        MPI_Comm grid = MPI_COMM_NULL;
        ASSERT_FALSE(mpi::cart_create(*self.world, 2, dims, periods, 0, &grid));
        EXPECT_EQ(destinations_of(grid), 4);
        EXPECT_EQ(sources_of(grid), 4);
        // Rank 0 sends to all others, and receives nothing.
        const int degree = self.world_rank() == 0 ? 5 : 0, source = 0, all[5] = {1, 2, 3, 4, 5};
        MPI_Comm star = MPI_COMM_NULL;
        ASSERT_FALSE(mpi::dist_graph_create(*self.world, degree ? 1 : 0, &source, &degree, all,
                                            MPI_UNWEIGHTED, nullptr, 0, &star));
        EXPECT_EQ(destinations_of(star), self.world_rank() == 0 ? 5 : 0);
        EXPECT_EQ(sources_of(star), self.world_rank() == 0 ? 0 : 1);
        const int index[6] = {5, 6, 7, 8, 9, 10}, edges[10] = {1, 2, 3, 4, 5, 0, 0, 0, 0, 0};
        MPI_Comm graph = MPI_COMM_NULL;
        ASSERT_FALSE(mpi::graph_create(*self.world, 6, index, edges, 0, &graph));
        EXPECT_EQ(destinations_of(graph), self.world_rank() == 0 ? 5 : 1);
        EXPECT_EQ(sources_of(graph), self.world_rank() == 0 ? 5 : 1);
        for (MPI_Comm comm : {grid, star, graph})
            EXPECT_FALSE(mpi::comm_free(&comm));
    });
}

} // namespace
} // namespace thrum
