// <thrum/run.h>: what runs of ranks do, fail at, and report. Linked with GoogleTest, whose
// assertions are made by the caller of each run only.
#include <atomic>
#include <cassert>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <thrum/run.h>
#include <unistd.h>
#include <vector>

namespace {

int rank_of(MPI_Comm comm) {
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = -1;
    MPI_Comm_size(comm, &size);
    return size;
}

// Sends a number around a ring. Returns 0 if it is right.
int ring(MPI_Comm world) {
    const int rank = rank_of(world), size = size_of(world);
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, world, MPI_STATUS_IGNORE);
    MPI_Barrier(world);
    return got == (rank + size - 1) % size ? 0 : 1;
}

bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

#define EXPECT_CONTAINS(text, part)                                                                \
    EXPECT_TRUE(contains(text, part)) << "\"" << (part) << "\" is missing in:\n" << (text)

// Counts its destruction, in a rank that is unwound.
struct Counted {
    std::atomic<int> &count;

    ~Counted() { ++count; }
};

thrum::RunOptions limit(double seconds) {
    thrum::RunOptions options;
    options.time_limit = seconds;
    return options;
}

bool has_os_threads() {
    const char *threads = std::getenv("THRUM_THREADS");
    return threads && std::string(threads) == "os";
}

double seconds_now() {
    return MPI_Wtime();
}

// ---- success

TEST(Runs, RanksExchangeMessages) {
    for (int n : {1, 2, 4, 64}) {
        const thrum::RunResult result = thrum::run(n, ring);
        EXPECT_TRUE(result) << result.text();
        EXPECT_EQ(result->n_ranks, n);
        EXPECT_EQ(result->first_failed, -1);
        EXPECT_EQ(result.text(), "");
    }
}

TEST(Runs, MpiIsInitialisedAndWorldIsTheRun) {
    const thrum::RunResult result = thrum::run(3, [](MPI_Comm world) {
        int is_initialised = 0, is_finalized = 1, level = -1, same = -1;
        MPI_Initialized(&is_initialised);
        MPI_Finalized(&is_finalized);
        MPI_Query_thread(&level);
        MPI_Comm_compare(world, MPI_COMM_WORLD, &same);
        return is_initialised && !is_finalized && level == MPI_THREAD_MULTIPLE &&
                       same == MPI_IDENT && size_of(world) == 3 &&
                       thrum_run_rank() == rank_of(world)
                   ? 0
                   : 1;
    });
    EXPECT_TRUE(result) << result.text();
    EXPECT_EQ(thrum_run_rank(), -1);
}

TEST(Runs, RanksMayFinalize) {
    const thrum::RunResult result = thrum::run(4, [](MPI_Comm world) {
        MPI_Barrier(world);
        MPI_Finalize();
    });
    EXPECT_TRUE(result) << result.text();
}

int global = 0;

TEST(Runs, GlobalsAreShared) {
    std::atomic<int> sum{0};
    global = 0;
    const thrum::RunResult result = thrum::run(4, [&](MPI_Comm world) {
        sum += 1;
        if (rank_of(world) == 0)
            global = 7;
        MPI_Barrier(world);
        return global == 7 ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
    EXPECT_EQ(sum, 4);
    EXPECT_EQ(global, 7);
}

TEST(Runs, ThreadLocalsAreTheRanksOwn) {
    static thread_local int own = 3;
    own = 5;
    const thrum::RunResult result = thrum::run(4, [](MPI_Comm world) {
        const int before = own;
        own = rank_of(world);
        MPI_Barrier(world);
        return before == 3 && own == rank_of(world) ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
    EXPECT_EQ(own, 5);
}

extern "C" int add_up(MPI_Comm world, void *argument) {
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world);
    if (rank_of(world) == 0)
        *static_cast<int *>(argument) = sum;
    return 0;
}

TEST(Runs, AreCalledFromC) {
    int sum = 0;
    thrum_result *result = thrum_run(5, add_up, &sum, nullptr);
    EXPECT_EQ(result->n_failed, 0) << result->text;
    EXPECT_EQ(sum, 5);
    thrum_result_free(result);
    thrum_result_free(nullptr);
}

TEST(Runs, ThatRanksCallAreRunsOfTheirOwn) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        const thrum::RunResult inner = thrum::run(3, ring);
        MPI_Barrier(world);
        return inner && size_of(MPI_COMM_WORLD) == 2 ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(Runs, AnInnerDeadlockIsNotTheOuterOnes) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        int is_right = 0;
        if (rank_of(world) == 0) {
            const thrum::RunResult inner = thrum::run(2, [](MPI_Comm inner_world) {
                int got;
                MPI_Recv(&got, 1, MPI_INT, 0, 0, inner_world, MPI_STATUS_IGNORE);
            });
            is_right = inner->n_failed == 2 && inner->end == THRUM_RANK_DEADLOCKED;
        }
        MPI_Bcast(&is_right, 1, MPI_INT, 0, world);
        return is_right ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(Runs, SideBySideAreIndependent) {
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                const bool fails = t == 3 && i % 10 == 0;
                const thrum::RunResult result = thrum::run(2 + t, [&](MPI_Comm world) {
                    return ring(world) + (fails && rank_of(world) == 1 ? 9 : 0);
                });
                failures += result.ok() == fails || (fails && result->n_failed != 1);
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(failures, 0);
}

TEST(Runs, ADeadlockBesideARunThatComputesIsFound) {
    std::atomic<bool> stop{false};
    thrum::RunResult busy(nullptr);
    std::thread other([&] {
        busy = thrum::run(2, [&](MPI_Comm) {
            while (!stop)
                ;
        });
    });
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
    });
    stop = true;
    other.join();
    EXPECT_EQ(result->end, THRUM_RANK_DEADLOCKED) << result.text();
    EXPECT_EQ(result->n_failed, 2);
    EXPECT_TRUE(busy) << busy.text();
}

// ---- failures

TEST(Failures, AnExceptionNamesItsRankAndText) {
    std::atomic<int> destroyed{0};
    const thrum::RunResult result = thrum::run(4, [&](MPI_Comm world) {
        Counted counted{destroyed};
        if (rank_of(world) == 2)
            throw std::runtime_error("boom");
        int got;
        MPI_Recv(&got, 1, MPI_INT, 2, 0, world, MPI_STATUS_IGNORE);
    });
    EXPECT_EQ(result->n_failed, 4);
    EXPECT_EQ(result->first_failed, 2);
    EXPECT_EQ(result->end, THRUM_RANK_THREW);
    EXPECT_STREQ(result.rank(2).text, "threw an exception: boom");
    EXPECT_EQ(result.rank(0).end, THRUM_RANK_DEADLOCKED);
    EXPECT_CONTAINS(std::string(result.rank(0).text), "MPI_Recv at ");
    EXPECT_CONTAINS(std::string(result.rank(0).text), "runs_of_ranks.cc:");
    EXPECT_CONTAINS(result.text(), "1 of 4 ranks failed, 3 ended by the run: they waited for ever\n"
                                   "rank 2: threw an exception: boom\n");
    EXPECT_CONTAINS(result.text(), "ranks 0,1,3: MPI_Recv from rank 2, tag 0, MPI_COMM_WORLD, at ");
    EXPECT_CONTAINS(result.text(), "rank 2 has ended");
    EXPECT_EQ(destroyed, 4);
}

TEST(Failures, AnExceptionOfAnyTypeIsNamed) {
    const thrum::RunResult result = thrum::run(1, [](MPI_Comm) { throw 7; });
    EXPECT_STREQ(result.rank(0).text, "threw an exception of type int");
}

TEST(Failures, ExitEndsTheRankAndDestroysItsObjects) {
    std::atomic<int> destroyed{0};
    const thrum::RunResult result = thrum::run(3, [&](MPI_Comm world) {
        Counted counted{destroyed};
        MPI_Barrier(world);
        if (rank_of(world) == 1)
            std::exit(3);
    });
    EXPECT_EQ(result->n_failed, 1);
    EXPECT_EQ(result->first_failed, 1);
    EXPECT_EQ(result->end, THRUM_RANK_EXITED);
    EXPECT_EQ(result.rank(1).code, 3);
    EXPECT_EQ(result.text(), "1 of 3 ranks failed\nrank 1: ended with exit code 3");
    EXPECT_GE(destroyed, 2);
}

TEST(Failures, ExitWithZeroIsASuccess) {
    const thrum::RunResult result = thrum::run(3, [&](MPI_Comm world) {
        MPI_Barrier(world);
        if (rank_of(world) == 1)
            std::_Exit(0);
        std::exit(0);
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(Failures, AResultIsAnExitCode) {
    const thrum::RunResult result =
        thrum::run(2, [](MPI_Comm world) { return 5 * rank_of(world); });
    EXPECT_EQ(result.text(), "1 of 2 ranks failed\nrank 1: ended with exit code 5");
}

void outer_frame(std::atomic<int> &destroyed, void (*inner)()) {
    Counted counted{destroyed};
    inner();
}

TEST(Failures, AFailedAssertionIsTold) {
    std::atomic<int> destroyed{0};
    const thrum::RunResult result = thrum::run(3, [&](MPI_Comm world) {
        if (rank_of(world) == 1)
            outer_frame(destroyed, [] { assert(size_of(MPI_COMM_WORLD) == 4); });
        MPI_Barrier(world);
    });
    EXPECT_EQ(result->end, THRUM_RANK_ASSERTED);
    EXPECT_EQ(result->first_failed, 1);
    EXPECT_CONTAINS(result.text(), "Assertion `size_of(MPI_COMM_WORLD) == 4' failed.");
    EXPECT_CONTAINS(result.text(), "runs_of_ranks.cc:");
    EXPECT_EQ(destroyed, 1);
}

TEST(Failures, ACrashNamesThePlace) {
    const thrum::RunResult result = thrum::run(3, [](MPI_Comm world) {
        if (rank_of(world) == 1)
            *reinterpret_cast<volatile int *>(8) = 1;
        MPI_Barrier(world);
    });
    EXPECT_EQ(result->end, THRUM_RANK_SIGNALED);
    EXPECT_EQ(result.rank(1).code, 128 + SIGSEGV);
    EXPECT_CONTAINS(result.text(), "rank 1: segmentation fault at address 0x8 in ");
    EXPECT_CONTAINS(result.text(), "runs_of_ranks.cc:");
    EXPECT_TRUE(thrum::run(4, ring));
}

TEST(Failures, AllRanksMayCrashAtOnce) {
    const thrum::RunResult result = thrum::run(8, [](MPI_Comm) { std::abort(); });
    EXPECT_EQ(result->n_failed, 8);
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(result.rank(i).end, THRUM_RANK_SIGNALED);
        EXPECT_CONTAINS(std::string(result.rank(i).text), "abort() was called");
    }
    EXPECT_TRUE(thrum::run(4, ring));
}

[[gnu::noinline]] int recurse(int depth) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

TEST(Failures, AnOverflowOfTheStackIsTold) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        MPI_Barrier(world);
        return rank_of(world) == 1 ? recurse(1) : 0;
    });
    EXPECT_EQ(result->end, THRUM_RANK_SIGNALED);
    EXPECT_CONTAINS(result.text(), "rank 1 overflowed its ");
}

TEST(Failures, AnErrorOfMpiIsTold) {
    const thrum::RunResult result = thrum::run(3, [](MPI_Comm world) {
        int one = 1;
        if (rank_of(world) == 1)
            MPI_Send(&one, 1, MPI_INT, 7, 0, world);
        MPI_Barrier(world);
    });
    EXPECT_EQ(result->end, THRUM_RANK_ABORTED);
    EXPECT_CONTAINS(result.text(), "rank 1: MPI_Send: MPI_ERR_RANK: dest is 7, but MPI_COMM_WORLD "
                                   "has 3 ranks (at ");
}

TEST(Failures, ErrorHandlersThatReturnAreNoFailures) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        int one = 1;
        MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
        return MPI_Send(&one, 1, MPI_INT, 7, 0, world) == MPI_ERR_RANK ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(Failures, MpiAbortEndsTheRunOnly) {
    const thrum::RunResult result = thrum::run(3, [](MPI_Comm world) {
        if (rank_of(world) == 1)
            MPI_Abort(world, 5);
        MPI_Barrier(world);
    });
    EXPECT_EQ(result->end, THRUM_RANK_ABORTED);
    EXPECT_EQ(result.rank(1).code, 5);
    EXPECT_CONTAINS(result.text(), "rank 1: MPI_Abort(MPI_COMM_WORLD, 5) (at ");
}

TEST(Failures, ADeadlockIsReportedAndUnwound) {
    std::atomic<int> destroyed{0};
    const thrum::RunResult result = thrum::run(4, [&](MPI_Comm world) {
        Counted counted{destroyed};
        int got;
        MPI_Recv(&got, 1, MPI_INT, (rank_of(world) + 1) % 4, 0, world, MPI_STATUS_IGNORE);
    });
    EXPECT_EQ(result->end, THRUM_RANK_DEADLOCKED);
    EXPECT_EQ(result->n_failed, 4);
    EXPECT_CONTAINS(result.text(), "DEADLOCK: all 4 ranks are blocked");
    EXPECT_EQ(destroyed, 4);
}

TEST(Failures, AMatchAllHandlerDoesNotKeepAnEndedRank) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        for (;;)
            try {
                int got;
                MPI_Recv(&got, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
            } catch (...) {
            }
    });
    EXPECT_EQ(result->end, THRUM_RANK_DEADLOCKED);
}

struct CallsMpi {
    MPI_Comm world;
    std::atomic<int> &calls;

    ~CallsMpi() {
        MPI_Barrier(world); // refused: it would wait for ever
        ++calls;
    }
};

TEST(Failures, DestructorsOfAnEndedRankMayCallMpi) {
    std::atomic<int> calls{0};
    const thrum::RunResult result = thrum::run(2, [&](MPI_Comm world) {
        CallsMpi object{world, calls};
        int got;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
    });
    EXPECT_EQ(result->end, THRUM_RANK_DEADLOCKED);
    EXPECT_EQ(calls, 2);
}

TEST(Failures, AWaitInANoexceptFunctionEnds) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) noexcept {
        int got;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
    });
    EXPECT_EQ(result->end, THRUM_RANK_DEADLOCKED);
    EXPECT_EQ(result->n_failed, 2);
}

TEST(Failures, RanksThatPollForAFailedOneAreEnded) {
    const double begin = seconds_now();
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        if (rank_of(world) == 1)
            throw std::runtime_error("gone");
        for (int flag = 0; !flag;)
            MPI_Iprobe(1, 0, world, &flag, MPI_STATUS_IGNORE);
    });
    EXPECT_EQ(result->first_failed, 1);
    EXPECT_EQ(result.rank(0).end, THRUM_RANK_TIMED_OUT);
    EXPECT_LT(seconds_now() - begin, 20);
}

// ---- time limits

TEST(TimeLimits, EndRanksThatPollAndThatWait) {
    std::atomic<int> destroyed{0};
    const thrum::RunResult result = thrum::run(
        3,
        [&](MPI_Comm world) {
            Counted counted{destroyed};
            for (int flag = 0; rank_of(world) == 1 && !flag;)
                MPI_Iprobe(0, 0, world, &flag, MPI_STATUS_IGNORE);
            MPI_Barrier(world);
        },
        limit(0.05));
    EXPECT_EQ(result->n_failed, 3);
    EXPECT_EQ(result->end, THRUM_RANK_TIMED_OUT);
    EXPECT_CONTAINS(result.text(), "3 of 3 ranks ended by the run: its time limit was over");
    EXPECT_EQ(destroyed, 3);
}

TEST(TimeLimits, AbandonARankThatComputes) {
    const thrum::RunResult result = thrum::run(
        3,
        [&](MPI_Comm world) {
            static volatile bool goes_on = true;
            if (rank_of(world) == 1)
                while (goes_on)
                    ;
            MPI_Barrier(world);
        },
        limit(0.05));
    EXPECT_EQ(result->first_failed, 1) << result.text();
    EXPECT_EQ(result.rank(1).end, THRUM_RANK_ABANDONED);
    EXPECT_CONTAINS(result.text(), "rank 1: computed on after its run was over");
    EXPECT_TRUE(thrum::run(4, ring));
}

TEST(TimeLimits, LeaveARankBehindThatSleeps) {
    const double begin = seconds_now();
    const thrum::RunResult result = thrum::run(
        2,
        [&](MPI_Comm world) {
            if (rank_of(world) == 1)
                ::sleep(2);
            MPI_Barrier(world);
        },
        limit(0.05));
    EXPECT_EQ(result.rank(1).end, THRUM_RANK_RUNNING);
    // Whether an OS thread that sleeps is outside MPI is not known, so the other rank is left, too.
    if (!has_os_threads()) {
        EXPECT_EQ(result.rank(0).end, THRUM_RANK_TIMED_OUT);
    }
    EXPECT_LT(seconds_now() - begin, 1.9);
    EXPECT_TRUE(thrum::run(4, ring));
}

TEST(TimeLimits, DoNotMatterToRunsThatEnd) {
    const thrum::RunResult result = thrum::run(4, ring, limit(60));
    EXPECT_TRUE(result) << result.text();
}

// ---- bad input

TEST(BadInput, IsNamed) {
    thrum_run_options options = THRUM_RUN_OPTIONS_INIT;
    const auto text_of = [](thrum_result *result) {
        const std::string text = result->text;
        EXPECT_EQ(result->end, THRUM_NOT_RUN);
        EXPECT_GT(result->n_failed, 0);
        EXPECT_EQ(result->n_ranks, 0);
        thrum_result_free(result);
        return text;
    };
    int sum;
    EXPECT_EQ(text_of(thrum_run(0, add_up, &sum, nullptr)),
              "thrum_run: n is 0, but must be at least 1");
    EXPECT_EQ(text_of(thrum_run(2, nullptr, &sum, nullptr)),
              "thrum_run: function is a null pointer");
    EXPECT_CONTAINS(text_of(thrum_run(20000, add_up, &sum, nullptr)), "at most 16384 ranks");
    options.time_limit = -1;
    EXPECT_CONTAINS(text_of(thrum_run(2, add_up, &sum, &options)), "time_limit of options is -1");
    options.time_limit = std::nan("");
    EXPECT_CONTAINS(text_of(thrum_run(2, add_up, &sum, &options)), "time_limit of options is ");
    options = THRUM_RUN_OPTIONS_INIT;
    options.globals = 9;
    EXPECT_CONTAINS(text_of(thrum_run(2, add_up, &sum, &options)), "globals of options is 9");
    options = THRUM_RUN_OPTIONS_INIT;
    options.size = 0;
    EXPECT_CONTAINS(text_of(thrum_run(2, add_up, &sum, &options)), "THRUM_RUN_OPTIONS_INIT");
    EXPECT_EQ(thrum_run_fail(THRUM_RANK_ASSERTED, "nobody's"), -1);
}

TEST(BadInput, FinalizeTwiceIsAnError) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm) {
        MPI_Finalize();
        MPI_Finalize();
    });
    EXPECT_EQ(result->end, THRUM_RANK_ABORTED);
    EXPECT_CONTAINS(result.text(), "MPI_Finalize");
    EXPECT_CONTAINS(result.text(), "called after MPI_Finalize");
}

TEST(BadInput, InitIsAnErrorBecauseMpiIsInitialised) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm) { MPI_Init(nullptr, nullptr); });
    EXPECT_EQ(result->end, THRUM_RANK_ABORTED);
    EXPECT_CONTAINS(result.text(), "MPI is already initialized");
}

std::jmp_buf outside;

TEST(BadInput, AJumpOutOfTheRankIsAFailure) {
    volatile bool has_jumped = false;
    if (setjmp(outside) != 0)
        has_jumped = true;
    else {
        const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
            if (rank_of(world) == 1)
                std::longjmp(outside, 1);
            MPI_Barrier(world);
        });
        EXPECT_EQ(result->first_failed, 1);
        EXPECT_EQ(result->end, THRUM_RANK_ASSERTED);
        EXPECT_CONTAINS(result.text(), "rank 1: longjmp() out of the function of the rank");
    }
    EXPECT_FALSE(has_jumped);
}

TEST(BadInput, AJumpInsideTheRankIsFine) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        std::jmp_buf inside;
        volatile int times = 0;
        setjmp(inside);
        MPI_Barrier(world);
        times = times + 1;
        if (times < 3)
            std::longjmp(inside, 1);
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(BadInput, AChildOfForkIsNoRank) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        const pid_t child = ::fork();
        if (child == 0) {
            if (rank_of(world) == 0)
                return 7; // ends the child
            const thrum::RunResult inner = thrum::run(2, ring);
            ::_exit(inner->end == THRUM_NOT_RUN && contains(inner.text(), "child of fork()") ? 7
                                                                                             : 8);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        MPI_Barrier(world);
        return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(BadInput, PthreadExitEndsTheRank) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        MPI_Barrier(world);
        ::pthread_exit(nullptr);
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(BadInput, AFailureOfAThreadOfTheRankIsNotItsOwn) {
    const thrum::RunResult result = thrum::run(2, [](MPI_Comm world) {
        int number = 0;
        std::thread([&] { number = thrum_run_rank(); }).join();
        MPI_Barrier(world);
        return number == -1 ? 0 : 1;
    });
    EXPECT_TRUE(result) << result.text();
}

TEST(BadInput, AThreadMayOutliveItsRank) {
    static std::atomic<bool> stop{false};
    std::atomic<int> ended{0};
    const thrum::RunResult result = thrum::run(2, [&](MPI_Comm) {
        std::thread([&] {
            while (!stop)
                ::usleep(1000);
            int is_initialised = 0;
            MPI_Initialized(&is_initialised);
            ended += is_initialised;
        }).detach();
    });
    EXPECT_TRUE(result) << result.text();
    for (int i = 0; i < 10; ++i)
        EXPECT_TRUE(thrum::run(4, ring));
    stop = true;
    while (ended < 2)
        ::usleep(1000);
}

// ---- memory

// Returns the resident memory of this process.
long resident_kib() {
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    long size = 0, resident = 0;
    if (std::fscanf(file, "%ld %ld", &size, &resident) != 2)
        resident = -1;
    std::fclose(file);
    return resident * 4;
}

TEST(Memory, TenThousandRunsDoNotGrow) {
    const int runs = has_os_threads() ? 1000 : 10000; // a thread takes longer than a fiber
    for (int i = 0; i < runs / 5; ++i)
        ASSERT_TRUE(thrum::run(4, ring));
    const long before = resident_kib();
    for (int i = 0; i < runs; ++i)
        ASSERT_TRUE(thrum::run(4, ring)) << i;
    EXPECT_LT(resident_kib() - before, 1024);
}

TEST(Memory, FailedRunsKeepLittle) {
    const auto fail = [](MPI_Comm world) {
        int got;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
    };
    for (int i = 0; i < 20; ++i)
        ASSERT_FALSE(thrum::run(4, fail));
    const long before = resident_kib();
    constexpr int runs = 100, kib_per_run = 16;
    for (int i = 0; i < runs; ++i)
        ASSERT_FALSE(thrum::run(4, fail)) << i;
    EXPECT_LT(resident_kib() - before, runs * kib_per_run);
}

} // namespace
