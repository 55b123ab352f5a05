// Code that crashes or hangs does not keep the job from ending.
#include "base/clock.h"
#include "rank/guarded_run.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

namespace thrum {
namespace {

void count(void *number) {
    ++*static_cast<int *>(number);
}

TEST(GuardedRun, RunsTheFunction) {
    int calls = 0;
    GuardedRun run;
    EXPECT_TRUE(run.attempt(count, &calls));
    EXPECT_TRUE(run.attempt(count, &calls));
    EXPECT_EQ(calls, 2);
}

TEST(GuardedRun, AFaultEndsOneAttemptAndNotTheNext) {
    int calls = 0;
    GuardedRun run;
    EXPECT_FALSE(run.attempt([](void *) { ::raise(SIGSEGV); }, nullptr));
    EXPECT_FALSE(run.attempt([](void *) { ::abort(); }, nullptr));
    EXPECT_TRUE(run.attempt(count, &calls));
    EXPECT_EQ(calls, 1);
}

TEST(GuardedRun, AnEndlessLoopIsGivenUp) {
    const int64_t start_ns = now_ns();
    GuardedRun run;
    EXPECT_FALSE(run.attempt(
        [](void *) {
            for (std::atomic<int> turns = 0; turns.load(std::memory_order_relaxed) >= 0;) {
            }
        },
        nullptr));
    EXPECT_GT(now_ns() - start_ns, 500'000'000);
}

TEST(GuardedRun, PutsTheSignalHandlersBack) {
    struct sigaction before = {}, after = {};
    ::sigaction(SIGSEGV, nullptr, &before);
    {
        GuardedRun run;
        ::sigaction(SIGSEGV, nullptr, &after);
        EXPECT_NE(before.sa_handler, after.sa_handler);
    }
    ::sigaction(SIGSEGV, nullptr, &after);
    EXPECT_EQ(before.sa_handler, after.sa_handler);
}

} // namespace
} // namespace thrum
