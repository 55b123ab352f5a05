// std::thread, mutexes, call_once, condition variables, futures, atomics, latches as globals.
// ranks: 8 64
#include "torture.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::recursive_mutex recursive;
static std::shared_mutex readers;
static std::condition_variable changed;
static std::once_flag once;
static std::atomic<int> atomic{3};
static std::atomic<std::vector<int> *> published;
static int sum, onces, turn;
static std::vector<int> finished;
static thread_local int mine = 5;

static void work(int number, int rank) {
    std::call_once(once, [&] { onces += rank + 1; });
    for (int i = 0; i < 100; ++i) {
        std::lock_guard lock(mutex);
        sum += rank, ++mine;
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return turn == number; });
    finished.push_back(number * 1000 + mine);
    ++turn;
    changed.notify_all();
}

int main(int argc, char **argv) {
    CHECK(atomic == 3 && !published && sum == 0 && onces == 0 && finished.empty() && mine == 5);
    int rank = start(&argc, &argv);
    {
        std::scoped_lock held(mutex, recursive);
        std::lock_guard again(recursive);
        let_others_run(); // every rank holds its own
        sum = rank;
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back(work, i, rank);
    for (auto &thread : threads)
        thread.join();
    CHECK(sum == 301 * rank && onces == rank + 1 && turn == 3 && mine == 5);
    CHECK(finished == std::vector<int>({105, 1105, 2105}));
    std::promise<int> promise;
    auto answer = promise.get_future();
    std::thread keeper([&] { promise.set_value(sum + 1); });
    CHECK_EQUAL(answer.get(), 301 * rank + 1);
    keeper.join();
    published = &finished;
    auto later = std::async(std::launch::async, [] {
        std::shared_lock lock(readers);
        return int(published.load()->size()) + sum + atomic.fetch_add(4);
    });
    CHECK_EQUAL(later.get(), 3 + 301 * rank + 3);
    CHECK_EQUAL(atomic, 7);
    let_others_run();
    return finish();
}
