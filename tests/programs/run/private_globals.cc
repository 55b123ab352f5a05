// THRUM_GLOBALS_PRIVATE of <thrum/run.h>: each rank has globals of its own, with their initial
// values, as a process has.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thrum/run.h>
#include <unistd.h>
#include <vector>

namespace {

int counter = 5;

// A global object, which each rank constructs and destroys. Tells a file about its end.
struct Object {
    int *pointer = &counter; // into the image of the rank
    std::vector<int> values{1, 2, 3};
    std::string told;

    ~Object() {
        if (!told.empty())
            std::ofstream(told, std::ios::app) << counter << '\n';
    }
};

Object object;

thrum::RunOptions privately(double seconds = 0) {
    thrum::RunOptions options;
    options.globals = THRUM_GLOBALS_PRIVATE;
    options.time_limit = seconds;
    return options;
}

int rank_of(MPI_Comm comm) {
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

TEST(PrivateGlobals, HaveTheirInitialValuesInEachRank) {
    counter = 77;
    object.values.clear();
    int *const callers = &counter;
    const thrum::RunResult result = thrum::run(
        4,
        [=](MPI_Comm world) {
            const bool is_initial = counter == 5 && object.values.size() == 3;
            counter = rank_of(world);
            MPI_Barrier(world);
            return is_initial && counter == rank_of(world) && object.pointer == &counter &&
                           &counter != callers && *callers == 77
                       ? 0
                       : 1;
        },
        privately());
    EXPECT_TRUE(result) << result.text();
    EXPECT_EQ(counter, 77);
}

TEST(PrivateGlobals, AreDestroyedAtTheEndOfTheRank) {
    const std::string path = testing::TempDir() + "thrum_destroyed_" + std::to_string(::getpid());
    const thrum::RunResult result = thrum::run(
        3,
        [&](MPI_Comm world) {
            object.told = path;
            counter = 100;
            MPI_Barrier(world);
            if (rank_of(world) == 1)
                std::exit(0);
        },
        privately());
    EXPECT_TRUE(result) << result.text();
    std::ifstream file(path);
    int lines = 0;
    for (std::string line; std::getline(file, line); ++lines)
        EXPECT_EQ(line, "100");
    EXPECT_EQ(lines, 3);
    std::remove(path.c_str());
}

TEST(PrivateGlobals, FailuresAreToldAsWithSharedOnes) {
    const thrum::RunResult result = thrum::run(
        4,
        [](MPI_Comm world) {
            switch (rank_of(world)) {
            case 0:
                throw std::runtime_error("boom");
            case 1:
                std::exit(3);
            case 2:
                std::abort();
            default:
                MPI_Recv(nullptr, 0, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
            }
        },
        privately());
    EXPECT_EQ(result->n_failed, 4);
    EXPECT_EQ(result.rank(0).end, THRUM_RANK_THREW) << result.text();
    EXPECT_STREQ(result.rank(0).text, "threw an exception: boom");
    EXPECT_EQ(result.rank(1).end, THRUM_RANK_EXITED);
    EXPECT_EQ(result.rank(1).code, 3);
    EXPECT_EQ(result.rank(2).end, THRUM_RANK_SIGNALED);
    EXPECT_EQ(result.rank(3).end, THRUM_RANK_DEADLOCKED);
}

TEST(PrivateGlobals, TimeLimitsHold) {
    const thrum::RunResult result = thrum::run(
        2,
        [](MPI_Comm world) {
            for (int flag = 0; rank_of(world) == 1 && !flag;)
                MPI_Iprobe(0, 0, world, &flag, MPI_STATUS_IGNORE);
            MPI_Barrier(world);
        },
        privately(0.05));
    EXPECT_EQ(result->n_failed, 2);
    EXPECT_EQ(result->end, THRUM_RANK_TIMED_OUT);
}

TEST(PrivateGlobals, ManyRunsUseTheSameMemory) {
    for (int i = 0; i < 100; ++i) {
        const thrum::RunResult result =
            thrum::run(4, [](MPI_Comm world) { return MPI_Barrier(world); }, privately());
        ASSERT_TRUE(result) << i << ": " << result.text();
    }
}

} // namespace
