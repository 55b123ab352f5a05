// Collective operations on inter-communicators (MPI 5.0 section 6.2.3): data flow between two
// groups.
#include "coll/testing/blocking_forms.h"
#include "coll/testing/two_groups.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace thrum {
namespace {

class BetweenGroups : public ::testing::TestWithParam<std::tuple<int, int, int>> {
protected:
    // Runs function(inter-communicator) on all ranks of two groups.
    template <class F>
    void run(F function) {
        auto [first, second, workers] = GetParam();
        testing::run_in_two_groups(first, second, {workers, workers == 0}, [&](Communicator &comm) {
            for (int repetition = 0; repetition < 20; ++repetition)
                function(comm);
        });
    }
};

// Returns the root argument at this rank: rank 0 of side 0 is the root.
int root_at(const Communicator &comm) {
    return comm.side == 1 ? 0 : comm.rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

int value_of(int side, int rank, int i) {
    return side * 1000000 + rank * 1000 + i;
}

std::vector<int> values_of(int side, int rank, size_t count) {
    std::vector<int> values(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = value_of(side, rank, static_cast<int>(i));
    return values;
}

Datatype &int_type() {
    return *find_datatype(MPI_INT);
}

Block block_of(std::vector<int> &values) {
    return {reinterpret_cast<char *>(values.data()), static_cast<Count>(values.size()),
            &int_type()};
}

constexpr size_t counts[] = {1, 5000}; // small and large

TEST_P(BetweenGroups, TheRootsDataReachTheOtherGroupOnly) {
    run([](Communicator &comm) {
        for (size_t count : counts) {
            bool is_root = root_at(comm) == MPI_ROOT;
            std::vector<int> data = is_root ? values_of(0, 7, count) : std::vector<int>(count, -1);
            EXPECT_FALSE(broadcast(comm, block_of(data), root_at(comm)));
            EXPECT_EQ(data, comm.side == 1 || is_root ? values_of(0, 7, count)
                                                      : std::vector<int>(count, -1));
        }
    });
}

TEST_P(BetweenGroups, TheRootGathersFromAndScattersToTheOtherGroup) {
    run([](Communicator &comm) {
        for (size_t count : counts) {
            bool is_root = root_at(comm) == MPI_ROOT;
            std::vector<int> all(is_root ? count * static_cast<size_t>(comm.remote_size) : 0);
            std::vector<int> mine = values_of(1, comm.rank, count), back(count, -1);
            Blocks blocks = Blocks::equal(all.data(), static_cast<Count>(count), int_type());
            Block send = block_of(mine), receive = block_of(back);
            bool member = comm.side == 1;
            EXPECT_FALSE(gather(comm, member ? &send : nullptr, is_root ? &blocks : nullptr,
                                root_at(comm), Collective::Gather));
            EXPECT_FALSE(scatter(comm, is_root ? &blocks : nullptr, member ? &receive : nullptr,
                                 root_at(comm), Collective::Scatter));
            EXPECT_EQ(back, member ? mine : std::vector<int>(count, -1));
        }
    });
}

TEST_P(BetweenGroups, AllGatherAndExchangeWithTheOtherGroup) {
    run([](Communicator &comm) {
        for (size_t count : {size_t{1}, size_t{700}}) {
            auto each = static_cast<Count>(count);
            std::vector<int> mine = values_of(comm.side, comm.rank, count);
            std::vector<int> all(count * static_cast<size_t>(comm.remote_size));
            Block send = block_of(mine);
            EXPECT_FALSE(allgather(comm, &send, Blocks::equal(all.data(), each, int_type()),
                                   Collective::Allgather));
            std::vector<int> expected;
            for (int peer = 0; peer < comm.remote_size; ++peer)
                for (int value : values_of(1 - comm.side, peer, count))
                    expected.push_back(value);
            EXPECT_EQ(all, expected);

            std::vector<int> out(all.size()), in(all.size());
            for (int peer = 0; peer < comm.remote_size; ++peer)
                std::fill_n(out.begin() + peer * each, count, value_of(comm.side, comm.rank, peer));
            Blocks from = Blocks::equal(out.data(), each, int_type());
            EXPECT_FALSE(alltoall(comm, &from, Blocks::equal(in.data(), each, int_type()),
                                  Collective::Alltoall));
            for (int peer = 0; peer < comm.remote_size; ++peer)
                EXPECT_EQ(in[static_cast<size_t>(peer) * count],
                          value_of(1 - comm.side, peer, comm.rank));
        }
    });
}

TEST_P(BetweenGroups, ReductionsCombineTheOtherGroup) {
    run([](Communicator &comm) {
        // Divisible by both groups' sizes, so that MPI_Reduce_scatter can divide it.
        auto unit = static_cast<size_t>(std::lcm(comm.size, comm.remote_size));
        for (size_t count : {unit, unit * (4000 / unit + 1)}) {
            std::vector<int> mine = values_of(comm.side, comm.rank, count), result(count, -1);
            std::vector<int> expected[2] = {std::vector<int>(count), std::vector<int>(count)};
            for (int side : {0, 1})
                for (int peer = 0; peer < (side == comm.side ? comm.size : comm.remote_size);
                     ++peer)
                    for (size_t i = 0; i < count; ++i)
                        expected[side][i] += value_of(side, peer, static_cast<int>(i));
            const std::vector<int> &theirs = expected[1 - comm.side];
            const Op &sum = *find_op(MPI_SUM);
            auto n = static_cast<Count>(count);
            EXPECT_FALSE(allreduce(comm, {mine.data(), result.data(), n, int_type(), sum}));
            EXPECT_EQ(result, theirs);

            std::fill(result.begin(), result.end(), -1);
            EXPECT_FALSE(
                reduce(comm, {mine.data(), result.data(), n, int_type(), sum}, root_at(comm)));
            EXPECT_EQ(result, root_at(comm) == MPI_ROOT ? theirs : std::vector<int>(count, -1));

            Count share = n / comm.size;
            std::vector<int> part(static_cast<size_t>(share));
            EXPECT_FALSE(reduce_scatter(comm, {mine.data(), part.data(), n, int_type(), sum},
                                        {share * comm.rank, share},
                                        Collective::ReduceScatterBlock));
            EXPECT_EQ(part, std::vector<int>(theirs.begin() + share * comm.rank,
                                             theirs.begin() + share * (comm.rank + 1)));
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Sizes, BetweenGroups,
                         ::testing::Combine(::testing::Values(1, 3, 20),
                                            ::testing::Values(1, 4, 33),
                                            ::testing::Values(0, 1, 2)));

} // namespace
} // namespace thrum
