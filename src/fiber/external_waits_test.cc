#include "base/clock.h"
#include "base/futex.h"
#include "fiber/choice.h"
#include "fiber/completion.h"
#include "fiber/external_waits.h"
#include "fiber/testing/tasks.h"

#include <gtest/gtest.h>
#include <mutex>
#include <thread>

namespace thrum {
namespace {

// Another process that this one hears of: what it sends completes something here.
class TestWaits final : public ExternalWaits {
public:
    void send(std::vector<Completion *> completions) {
        {
            std::lock_guard guard(lock_);
            sent_.insert(sent_.end(), completions.begin(), completions.end());
        }
        if (somebody_listens())
            wake_listener();
    }

    bool look() override {
        std::vector<Completion *> taken;
        {
            std::lock_guard guard(lock_);
            taken.swap(sent_);
        }
        for (Completion *completion : taken)
            completion->complete();
        return !taken.empty();
    }

    unsigned spins_of_look() override { return 1; }

    bool worth_spinning() override { return false; }

    bool give_way(const Completion &until) override {
        ++ways_given;
        return look() || until.done();
    }

    bool begin_listening() override {
        bool expected = false;
        if (!listened_to_.compare_exchange_strong(expected, true))
            return false;
        woken_.store(0);
        return true;
    }

    void listen(int64_t) override {
        std::unique_lock guard(lock_);
        const bool nothing = sent_.empty();
        guard.unlock();
        if (nothing)
            futex_wait(woken_, 0);
    }

    void end_listening() override { listened_to_.store(false); }

    bool somebody_listens() override { return listened_to_.load(); }

    void wake_listener() override {
        woken_.store(1);
        futex_wake(woken_);
    }

    std::atomic<int> ways_given{0};

private:
    std::mutex lock_;
    std::vector<Completion *> sent_; // guarded by lock_
    std::atomic<bool> listened_to_{false};
    std::atomic<uint32_t> woken_{0};
};

TestWaits &test_outside() {
    static TestWaits outside; // threads may look at the former one for a moment
    return outside;
}

template <class Condition>
bool comes_true(Condition condition) {
    const int64_t deadline_ns = now_ns() + 20'000'000'000;
    while (!condition()) {
        if (now_ns() > deadline_ns)
            return false;
        std::this_thread::yield();
    }
    return true;
}

// The first task that waits listens, the others sleep. One message lets the listener and one of
// the others go on, which compute from then on.
TEST(ExternalWaits, AThreadThatSleepsTakesOverWhenTheListenerAndAnotherOneGoOnTogether) {
    constexpr int count = 3, rounds = 200;
    TestWaits &outside = test_outside();
    set_external_waits(&outside);
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
        std::vector<Completion> received(count);
        std::atomic<int> begun{0};
        std::vector<Task *> tasks(count);
        std::thread other_process([&] {
            ASSERT_TRUE(comes_true([&] { return begun.load() == count; }));
            for (Task *task : tasks)
                ASSERT_TRUE(comes_true([&] { return task->asleep.load(); }));
            outside.send({&received[2], &received[0]});
            EXPECT_TRUE(comes_true([&] { return outside.somebody_listens(); }))
                << "one task sleeps, and nobody listens";
            outside.send({&received[1]});
            if (HasFailure())
                outside.look(); // in its place
        });
        testing::run_tasks(count,
                           [&](int me) {
                               const auto i = static_cast<size_t>(me);
                               while (begun.load() != me) // in the order of their numbers
                                   ::sched_yield();
                               tasks[i] = &current_task();
                               if (me > 0)
                                   while (!tasks[i - 1]->asleep.load())
                                       ::sched_yield();
                               ++begun;
                               received[i].wait();
                           },
                           {.os_threads = true});
        other_process.join();
    }
    set_external_waits(nullptr);
}

// A fiber would keep others from their worker. With a seed, as other tests of this process may have
// set, the time that processes take must not matter.
TEST(ExternalWaits, OnlyThreadsGiveWay) {
    TestWaits &outside = test_outside();
    set_external_waits(&outside);
    for (const bool os_threads : {false, true}) {
        const bool gives_way = os_threads && !has_seed();
        Completion received;
        outside.ways_given = 0;
        testing::run_tasks(1,
                           [&](int) {
                               outside.send({&received});
                               EXPECT_EQ(give_way_to_processes(received), gives_way);
                               EXPECT_EQ(received.done(), gives_way);
                               received.wait();
                           },
                           {.os_threads = os_threads});
        EXPECT_EQ(outside.ways_given.load(), gives_way);
    }
    set_external_waits(nullptr);
}

} // namespace
} // namespace thrum
