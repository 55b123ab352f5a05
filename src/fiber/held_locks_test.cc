// Built only where spin locks are counted: THRUM_COUNT_LOCKS.
#include "base/clock.h"
#include "base/held_locks.h"
#include "base/spinlock.h"
#include "fiber/blocking_call.h"
#include "fiber/completion.h"
#include "fiber/testing/each_layer.h"
#include "fiber/testing/tasks.h"
#include "fiber/timer.h"

#include <functional>
#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr const char *refusal = "1 spin locks are held in a call that may suspend";

class HeldLocksDeathTest : public ::testing::TestWithParam<TeamOptions> {
protected:
    // The process that dies starts the workers itself.
    void dies_holding_a_lock(const std::function<void()> &function) {
        EXPECT_DEATH(testing::run_tasks(
                         1,
                         [&](int) {
                             SpinLock lock;
                             LockGuard guard(lock);
                             function();
                         },
                         GetParam()),
                     refusal);
    }
};

INSTANTIATE_TEST_SUITE_P(On, HeldLocksDeathTest, testing::each_layer(), testing::name_of_layer);

TEST_P(HeldLocksDeathTest, SuspendRefusesAHeldLock) {
    dies_holding_a_lock([] {
        prepare_to_suspend(current_task());
        suspend();
    });
}

TEST_P(HeldLocksDeathTest, WaitRefusesAHeldLockAlsoIfNothingIsToBeWaitedFor) {
    dies_holding_a_lock([] {
        Completion completion;
        completion.set_done();
        completion.wait();
    });
}

TEST_P(HeldLocksDeathTest, YieldRefusesAHeldLock) {
    dies_holding_a_lock([] { yield(); });
}

TEST_P(HeldLocksDeathTest, WaitUntilRefusesAHeldLock) {
    dies_holding_a_lock([] { wait_until(now_ns()); });
}

TEST_P(HeldLocksDeathTest, ABlockingCallRefusesAHeldLock) {
    dies_holding_a_lock([] {
        BlockingCall call;
        call.enter("read");
    });
}

class HeldLocks : public ::testing::TestWithParam<TeamOptions> {};

INSTANTIATE_TEST_SUITE_P(On, HeldLocks, testing::each_layer(), testing::name_of_layer);

TEST_P(HeldLocks, AreCountedForEachTaskUntilTheyAreReleased) {
    constexpr int tasks = 8, rounds = 1000;
    testing::run_tasks(
        tasks,
        [&](int) {
            SpinLock first, second;
            for (int round = 0; round < rounds; ++round) {
                EXPECT_EQ(held_locks(), 0);
                {
                    LockGuard guard(first);
                    EXPECT_FALSE(first.try_lock());
                    EXPECT_EQ(held_locks(), 1);
                    EXPECT_TRUE(second.try_lock());
                    EXPECT_EQ(held_locks(), 2);
                    second.unlock();
                }
                yield(); // the task may go on on another worker
            }
        },
        GetParam());
}

} // namespace
} // namespace thrum
