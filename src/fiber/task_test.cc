// Waiting and waking, on fibers with one and two workers and on OS threads.
#include "base/clock.h"
#include "fiber/activity.h"
#include "fiber/completion.h"
#include "fiber/sanitizer.h"
#include "fiber/testing/tasks.h"
#include "fiber/testing/team.h"
#include "fiber/timer.h"
#include "fiber/worker.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace thrum {
namespace {

struct Mode {
    const char *name;
    TeamOptions options;
};

class OnEveryThreadLayer : public ::testing::TestWithParam<Mode> {
protected:
    void run(int count, const std::function<void(int)> &function) {
        testing::run_tasks(count, function, GetParam().options);
    }
};

INSTANTIATE_TEST_SUITE_P(Layers, OnEveryThreadLayer,
                         ::testing::Values(Mode{"Fibers1", {1, false, 256 << 10}},
                                           Mode{"Fibers2", {2, false, 256 << 10}},
                                           Mode{"Fibers4", {4, false, 256 << 10}},
                                           Mode{"OsThreads", {0, true, 256 << 10}}),
                         [](const auto &test) { return std::string(test.param.name); });

TEST_P(OnEveryThreadLayer, EveryTaskRunsOnceWithItsIndex) {
    constexpr int count = 300;
    std::vector<std::atomic<int>> calls(count);
    run(count, [&](int index) { ++calls[static_cast<size_t>(index)]; });
    for (auto &c : calls)
        EXPECT_EQ(c, 1);
}

TEST_P(OnEveryThreadLayer, PingPongHandsOverEveryTime) {
    constexpr int rounds = 20'000;
    std::vector<Completion> to(2);
    int ball = 0; // handed over by the completions
    run(2, [&](int me) {
        for (int i = 0; i < rounds; ++i) {
            if (i % 2 == me) {
                EXPECT_EQ(ball, i);
                ++ball;
                to[static_cast<size_t>(1 - me)].complete();
            } else {
                to[static_cast<size_t>(me)].wait();
                to[static_cast<size_t>(me)].reset();
            }
        }
    });
    EXPECT_EQ(ball, rounds);
}

// Two workers that do not run: one task is woken from the other worker again and again.
TEST(Workers, ATaskComesToTheWorkerThatAlwaysWakesItAndHasLessToDo) {
    workers().create(2);
    Worker &home = workers()[1], &other = workers()[0];
    Task waker, task, queued, also_queued;
    for (Task *each : {&waker, &task, &queued, &also_queued})
        each->kind = TaskKind::Fiber;
    waker.worker = &other;
    task.worker = &home;
    Task *const caller = std::exchange(current_task_or_null, &waker);
    const auto wake = [&](unsigned times) {
        for (unsigned i = 1; i < times; ++i)
            EXPECT_EQ(&Worker::worker_for(task), &home);
        return &Worker::worker_for(task);
    };
    EXPECT_EQ(wake(3 * Worker::far_wakes_max), &home); // it has nothing else to do
    home.push(queued);
    task.far_wakes = 0;
    EXPECT_EQ(wake(Worker::far_wakes_max), &other);
    EXPECT_EQ(wake(Worker::far_wakes_max - 1), &home);
    waker.worker = &home; // woken from its own worker in between
    EXPECT_EQ(wake(1), &home);
    waker.worker = &other;
    EXPECT_EQ(wake(Worker::far_wakes_max - 1), &home);
    other.push(also_queued); // as much to do
    EXPECT_EQ(wake(3), &home);
    current_task_or_null = caller;
    workers().create(1);
}

TEST_P(OnEveryThreadLayer, ARingOfTasksPassesAToken) {
    constexpr int count = 100, laps = 50;
    std::vector<Completion> arrived(count);
    long passes = 0;
    run(count, [&](int me) {
        for (int lap = 0; lap < laps; ++lap) {
            if (me != 0 || lap > 0) {
                arrived[static_cast<size_t>(me)].wait();
                arrived[static_cast<size_t>(me)].reset();
            }
            ++passes;
            if (me < count - 1 || lap < laps - 1)
                arrived[static_cast<size_t>((me + 1) % count)].complete();
        }
    });
    EXPECT_EQ(passes, count * laps);
}

TEST_P(OnEveryThreadLayer, AWaitListWakesAllAtOnce) {
    constexpr int count = 64, rounds = 200;
    SpinLock lock;
    TaskList waiting;
    std::atomic<int> phases{0};
    run(count, [&](int) {
        for (int round = 0; round < rounds; ++round) {
            lock.lock();
            if (waiting.count + 1 < count) {
                prepare_to_suspend(current_task());
                waiting.push(current_task());
                lock.unlock();
                suspend();
            } else {
                TaskList all = waiting;
                waiting = {};
                ++phases;
                lock.unlock();
                make_all_runnable(all);
            }
        }
    });
    EXPECT_EQ(phases, rounds);
}

TEST_P(OnEveryThreadLayer, RandomWakesAreNeverLost) {
    const char *text = std::getenv("THRUM_TEST_SEED");
    unsigned seed = text ? static_cast<unsigned>(std::atoi(text)) : std::random_device{}();
    SCOPED_TRACE("THRUM_TEST_SEED=" + std::to_string(seed));
    constexpr int pairs = 40, rounds = 500;
    // Two completions a task, used in turn: the other cannot be two rounds ahead.
    std::vector<Completion> posted(pairs * 4);
    run(pairs * 2, [&](int me) {
        std::minstd_rand random(seed + static_cast<unsigned>(me));
        int other = me ^ 1;
        for (int i = 0; i < rounds; ++i) {
            for (unsigned spin = random() % 4; spin > 0; --spin)
                random() % 2 ? yield() : cpu_pause();
            posted[static_cast<size_t>(2 * other + i % 2)].complete();
            Completion &mine = posted[static_cast<size_t>(2 * me + i % 2)];
            mine.wait();
            mine.reset();
        }
    });
}

TEST_P(OnEveryThreadLayer, SleepersWakeInTheOrderOfTheirDeadlines) {
    constexpr int count = 5;
    std::atomic<int> order{0};
    int position[count];
    int64_t start = now_ns();
    run(count, [&](int me) {
        wait_until(start + (count - me) * int64_t{30'000'000});
        position[me] = order++;
    });
    for (int me = 0; me < count; ++me)
        EXPECT_EQ(position[me], count - 1 - me);
    EXPECT_GE(now_ns() - start, count * int64_t{30'000'000});
}

TEST_P(OnEveryThreadLayer, ErrnoAndThreadLocalsBelongToTheTask) {
    if (!sanitizer::own_thread_blocks && !GetParam().options.os_threads)
        GTEST_SKIP() << "in sanitizer builds fibers share the worker's thread-locals";
    thread_local int mine = 7;
    run(50, [&](int me) {
        EXPECT_EQ(mine, 7);
        mine = me;
        errno = me;
        for (int i = 0; i < 20; ++i)
            yield();
        EXPECT_EQ(mine, me);
        EXPECT_EQ(errno, me);
        mine = 7;
    });
}

TEST_P(OnEveryThreadLayer, QuiescenceIsReportedWhenAllWaitForEver) {
    static std::atomic<int> reports;
    static std::vector<Completion> *stuck;
    reports = 0;
    std::vector<Completion> completions(3);
    stuck = &completions;
    set_quiescence_function([] {
        if (reports++ == 0) // called again when all are done
            for (Completion &c : *stuck)
                c.complete(); // lets the test end
    });
    run(3, [&](int me) { completions[static_cast<size_t>(me)].wait(); });
    set_quiescence_function(nullptr);
    EXPECT_GE(reports, 1);
}

// A thread begins while the report looks, and waits: nobody but the report can notice that now all
// wait.
TEST(Quiescence, IsLookedForAgainIfSomebodyCameAndWentMeanwhile) {
    static std::atomic<int> reports;
    static Completion first, second;
    static std::thread late;
    set_quiescence_function([] {
        if (++reports > 1) {
            if (reports == 2) {
                first.complete(); // lets the test end
                second.complete();
            }
            return;
        }
        static std::atomic<bool> has_begun;
        late = std::thread([] {
            Task task;
            enter_os_thread(task);
            has_begun = true;
            second.wait();
            leave_os_thread(task);
        });
        while (!has_begun || activity().active() > 1)
            std::this_thread::yield();
    });
    Task task;
    Task *tasks[] = {&task};
    run_team(1, tasks, [](void *, int) { first.wait(); }, nullptr, {0, true, 256 << 10});
    late.join();
    set_quiescence_function(nullptr);
    EXPECT_GE(reports, 2);
}

} // namespace
} // namespace thrum
