// Compares grids with a model that enumerates them, and MPI_Dims_create with all factorisations.
#include "base/testing/seed.h"
#include "comm/topology.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace thrum {
namespace {

using Coords = std::vector<int>;

struct RandomGrid {
    Grid grid;
    std::vector<Coords> coords; // by rank
    std::map<Coords, int> rank_of;

    explicit RandomGrid(std::mt19937 &engine) {
        size_t ndims = engine() % 5;
        for (size_t d = 0; d < ndims; ++d) {
            grid.dims.push_back(static_cast<int>(engine() % 5) + 1);
            grid.periods.push_back(static_cast<int>(engine() % 2));
        }
        Coords at(ndims, 0);
        count_out(0, at);
    }

private:
    // The last coordinate changes fastest.
    void count_out(size_t d, Coords &at) {
        if (d == at.size()) {
            rank_of[at] = static_cast<int>(coords.size());
            coords.push_back(at);
            return;
        }
        for (at[d] = 0; at[d] < grid.dims[d]; ++at[d])
            count_out(d + 1, at);
        at[d] = 0;
    }
};

int wrapped(int coord, int size) {
    while (coord < 0)
        coord += size;
    while (coord >= size)
        coord -= size;
    return coord;
}

TEST(Grid, TranslatesBetweenRanksAndCoordinates) {
    std::mt19937 engine(testing::test_seed());
    for (int i = 0; i < 300; ++i) {
        RandomGrid model(engine);
        for (size_t rank = 0; rank < model.coords.size(); ++rank) {
            Coords coords(model.grid.dims.size(), -1);
            model.grid.coords_of(static_cast<int>(rank), coords.data());
            EXPECT_EQ(coords, model.coords[rank]);
            for (size_t d = 0; d < coords.size(); ++d) // somewhere around the torus
                if (model.grid.periods[d])
                    coords[d] += model.grid.dims[d] * (static_cast<int>(engine() % 7) - 3);
            EXPECT_EQ(model.grid.rank_of(coords.data()), static_cast<int>(rank));
        }
    }
}

TEST(Grid, ShiftsAsCountedOut) {
    std::mt19937 engine(testing::test_seed() + 1);
    for (int i = 0; i < 300; ++i) {
        RandomGrid model(engine);
        for (size_t rank = 0; rank < model.coords.size(); ++rank)
            for (size_t d = 0; d < model.grid.dims.size(); ++d) {
                int steps = static_cast<int>(engine() % 15) - 7;
                Coords to = model.coords[rank];
                to[d] += steps;
                int size = model.grid.dims[d];
                bool inside = to[d] >= 0 && to[d] < size;
                int expected = MPI_PROC_NULL;
                if (inside || model.grid.periods[d]) {
                    to[d] = wrapped(to[d], size);
                    expected = model.rank_of[to];
                }
                EXPECT_EQ(model.grid.shifted(static_cast<int>(rank), static_cast<int>(d), steps),
                          expected);
            }
    }
}

TEST(Grid, ShiftsOfAnyLengthDoNotOverflow) {
    Grid grid{{3, 4}, {1, 0}};
    EXPECT_EQ(grid.shifted(5, 0, 3000000000LL), 5);
    EXPECT_EQ(grid.shifted(5, 0, -(1LL << 31)), grid.shifted(5, 0, -((1LL << 31) % 3)));
    EXPECT_EQ(grid.shifted(5, 1, 1LL << 31), MPI_PROC_NULL);
}

// Finds the best spread and, with it, the best sum of all ways to write n as `left` non-increasing
// factors.
struct Best {
    int spread = -1;
    long long sum = 0;
};

void try_all(int n, int left, int limit, std::vector<int> &factors, Best &best) {
    if (left == 0) {
        if (n != 1)
            return;
        int spread = factors.front() - factors.back();
        long long sum = 0;
        for (int factor : factors)
            sum += factor;
        if (best.spread < 0 || spread < best.spread || (spread == best.spread && sum < best.sum))
            best = {spread, sum};
        return;
    }
    for (int factor = 1; factor <= limit && factor <= n; ++factor) {
        if (n % factor != 0)
            continue;
        factors.push_back(factor);
        try_all(n / factor, left - 1, factor, factors, best);
        factors.pop_back();
    }
}

TEST(BalanceDims, FindsTheMostEvenProduct) {
    std::mt19937 engine(testing::test_seed() + 2);
    for (int i = 0; i < 400; ++i) {
        int ndims = static_cast<int>(engine() % 5) + 1;
        int nodes = i % 2 ? static_cast<int>(engine() % 3000) + 1
                          : 720 * (static_cast<int>(engine() % 5) + 1);
        std::vector<int> dims(static_cast<size_t>(ndims), 0), factors;
        balance_dims(nodes, ndims, ndims, dims.data());
        Best best;
        try_all(nodes, ndims, nodes, factors, best);
        long long product = 1, sum = 0;
        for (int dim : dims) {
            product *= dim;
            sum += dim;
        }
        EXPECT_EQ(product, nodes);
        EXPECT_TRUE(std::is_sorted(dims.rbegin(), dims.rend()));
        EXPECT_EQ(dims.front() - dims.back(), best.spread) << nodes << " in " << ndims;
        EXPECT_EQ(sum, best.sum) << nodes << " in " << ndims;
    }
}

TEST(BalanceDims, FillsOnlyWhatIsFree) {
    int dims[5] = {0, 7, 0, 3, 0};
    balance_dims(24, 3, 5, dims);
    EXPECT_EQ(std::vector<int>(dims, dims + 5), (std::vector<int>{4, 7, 3, 3, 2}));
}

} // namespace
} // namespace thrum
