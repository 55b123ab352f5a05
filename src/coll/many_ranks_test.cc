// Collective operations of so many ranks that their leaves count at branches (meeting/branches.h):
// 300 ranks have 10 leaves and a level of branches, 2,100 have 66 leaves and two.
#include "coll/testing/blocking_forms.h"
#include "coll/testing/on_each_layer.h"
#include "pending/request.h"
#include "pt2pt/wait.h"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <vector>

namespace thrum {
namespace {

constexpr int rounds = 9; // so that each of the four open rounds is used again

class ManyRanks : public ::testing::TestWithParam<std::tuple<int, int>> {
protected:
    int ranks() const { return std::get<0>(GetParam()); }

    template <class F>
    void run(F function) {
        run_processes(
            ranks(), [&](Process &process) { function(*process.world); },
            {.workers = std::get<1>(GetParam()), .os_threads = false, .stack_bytes = 64 << 10});
    }
};

TEST_P(ManyRanks, NobodyLeavesABarrierBeforeAllHaveCome) {
    std::vector<std::atomic<int>> come(rounds);
    std::atomic<int> early{0};
    run([&](Communicator &comm) {
        for (std::atomic<int> &count : come) {
            count.fetch_add(1, std::memory_order_relaxed);
            EXPECT_FALSE(barrier(comm));
            early += count.load(std::memory_order_relaxed) != comm.size;
        }
    });
    EXPECT_EQ(early.load(), 0);
}

TEST_P(ManyRanks, SumsContainEveryContribution) {
    std::atomic<int> wrong{0};
    run([&](Communicator &comm) {
        for (int round = 0; round < rounds; ++round) {
            int64_t mine[2] = {comm.rank, round}, sum[2] = {};
            const Vector vector{mine, sum, 2, *find_datatype(MPI_INT64_T), *find_op(MPI_SUM)};
            EXPECT_FALSE(allreduce(comm, vector));
            wrong += sum[0] != int64_t{comm.size} * (comm.size - 1) / 2;
            wrong += sum[1] != int64_t{comm.size} * round;
        }
    });
    EXPECT_EQ(wrong.load(), 0);
}

TEST_P(ManyRanks, OverlappingNonblockingOperationsContainEveryContribution) {
    std::atomic<int> wrong{0};
    run([&](Communicator &comm) {
        int64_t mine[rounds], sums[rounds] = {};
        MPI_Request requests[rounds];
        for (int i = 0; i < rounds; ++i) {
            mine[i] = comm.rank + i;
            const Vector vector{&mine[i], &sums[i], 1, *find_datatype(MPI_INT64_T),
                                *find_op(MPI_SUM)};
            const CollectiveCall call{Collective::Allreduce, -1, vector};
            begin_collective(*collective_of(comm, call, NonblockingForm).release(), &requests[i]);
        }
        EXPECT_FALSE(wait_all(rounds, requests, nullptr));
        for (int i = 0; i < rounds; ++i)
            wrong += sums[i] != int64_t{comm.size} * (comm.size - 1) / 2 + int64_t{comm.size} * i;
    });
    EXPECT_EQ(wrong.load(), 0);
}

// The odd ranks are alone in their leaf, a whole leaf, or a whole branch: then the counters of
// member, leaf or branch find it.
TEST_P(ManyRanks, OddOnesAreFoundOnEachLevel) {
    for (int odd : {1, 32, 256}) {
        std::mutex mutex;
        int errors = 0;
        std::string sentence;
        run([&](Communicator &comm) {
            const Error error = comm.rank < odd
                                    ? barrier(comm)
                                    : broadcast(comm, {nullptr, 0, find_datatype(MPI_INT)}, 0);
            if (!error)
                return;
            const std::lock_guard guard(mutex);
            ++errors;
            sentence = error_detail(error.code());
        });
        EXPECT_GT(errors, 0) << odd;
        EXPECT_NE(sentence.find("MPI_Barrier"), std::string::npos) << odd << ": " << sentence;
        EXPECT_NE(sentence.find("MPI_Bcast"), std::string::npos) << odd << ": " << sentence;
    }
}

// A sanitizer has no room for the state of more fibers.
INSTANTIATE_TEST_SUITE_P(On, ManyRanks,
                         ::testing::Combine(sanitizer::own_thread_blocks
                                                ? ::testing::Values(300, 2100)
                                                : ::testing::Values(300, 301),
                                            ::testing::Values(1, 2, 5)),
                         [](const auto &test) {
                             return std::to_string(std::get<0>(test.param)) + "_ranks_on_" +
                                    std::to_string(std::get<1>(test.param)) + "_workers";
                         });

} // namespace
} // namespace thrum
