// Which sleeps of a thread only another thread can end: by made-up texts, and by real threads.
#include "fiber/thread_sleep.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

namespace thrum {
namespace {

using namespace std::chrono_literals;

bool is_42(int id) {
    return id == 42;
}

TEST(SleepUntilWoken, IsAFutexOfTheProcessWithoutALimit) {
    EXPECT_TRUE(is_sleep_until_woken("202 0x55af31fef108 0x189 0x0 0x0 0x0 0xffffffff 0x7f 0x7f",
                                     is_42)); // pthread_cond_wait
    EXPECT_TRUE(is_sleep_until_woken("202 0x55af31fef108 0x80 0x8 0x0 0xca 0x0 0x7f 0x7f", is_42));
    EXPECT_TRUE(is_sleep_until_woken("202 0x55af31fef108 0x109 0x2a 0x0 0x0 0xffffffff 0x7f 0x7f",
                                     is_42)); // pthread_join of thread 42
}

TEST(SleepUntilWoken, IsNothingElse) {
    for (const char *text :
         {"running", "", "0 0x3 0x7fe04da0a000 0x20000 0x0 0x0 0x0 0x7ffe 0x7fe0", // read
          "202 0x55af31fef108 0x189 0x0 0x7ef8 0x0 0xffffffff 0x7f 0x7f",          // a time limit
          "202 0x55af31fef108 0x109 0x2b 0x0 0x0 0xffffffff 0x7f 0x7f",            // shared memory
          "202 0x55af31fef108 0x0 0x2b 0x0 0x0 0x0 0x7f 0x7f",                     // likewise
          "202 0x55af31fef108 0x81 0x1 0x0 0x0 0x0 0x7f 0x7f",                     // FUTEX_WAKE
          "230 0x1 0x0 0x7f1eac99ad20 0x0 0x0 0x0 0x7f1e 0x7f1e"})                 // nanosleep
        EXPECT_FALSE(is_sleep_until_woken(text, is_42)) << text;
}

// Starts a thread that calls body(); returns its id.
template <class Body>
int start(std::thread &thread, Body body) {
    std::atomic<int> id{0};
    thread = std::thread([&id, body] {
        id.store(::gettid());
        body();
    });
    while (id.load() == 0)
        std::this_thread::yield();
    return id.load();
}

bool sleeps_soon(int thread_id) {
    for (int attempt = 0; attempt < 2000; ++attempt, std::this_thread::sleep_for(1ms))
        if (sleeps_until_woken(thread_id))
            return true;
    return false;
}

TEST(SleepUntilWoken, IsSeenInRealThreads) {
    if (::access("/proc/self/task/self/syscall", F_OK) != 0 &&
        ::access("/proc/self/syscall", R_OK) != 0)
        GTEST_SKIP() << "the kernel does not say what threads do";
    static sem_t semaphore;
    static std::atomic<bool> stop{false};
    ::sem_init(&semaphore, 0, 0);
    std::thread waiter, joiner, busy, napper;
    const int waiter_id = start(waiter, [] {
        while (::sem_wait(&semaphore) != 0 && errno == EINTR)
            ;
    });
    const int joiner_id = start(joiner, [&waiter] { waiter.join(); });
    const int busy_id = start(busy, [] {
        while (!stop.load())
            ;
    });
    const int napper_id = start(napper, [] {
        std::mutex mutex;
        std::condition_variable condition;
        std::unique_lock lock(mutex);
        condition.wait_for(lock, 600s, [] { return stop.load(); });
    });
    EXPECT_TRUE(sleeps_soon(waiter_id));
    EXPECT_TRUE(sleeps_soon(joiner_id));
    EXPECT_EQ(sleeps_until_woken(waiter_id), sleeps_until_woken(waiter_id)); // it has not run
    for (int attempt = 0; attempt < 50; ++attempt, std::this_thread::sleep_for(1ms)) {
        EXPECT_FALSE(sleeps_until_woken(busy_id));
        EXPECT_FALSE(sleeps_until_woken(napper_id));
    }
    EXPECT_FALSE(sleeps_until_woken(::gettid()));
    EXPECT_FALSE(sleeps_until_woken(1 << 30)); // no such thread
    stop.store(true);
    ::sem_post(&semaphore);
    joiner.join();
    busy.join();
    napper.detach();
}

} // namespace
} // namespace thrum
