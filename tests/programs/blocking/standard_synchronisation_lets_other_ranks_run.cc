// ranks: 2 6
// timeout: 60
// The same with C++: std::mutex, condition_variable, future, counting_semaphore, latch,
// atomic::wait, jthread, function statics, streams on a pipe.
#include "pairs.h"

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

void hear() {
    int number = -1;
    MPI_Recv(&number, 1, MPI_INT, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(number, 7);
}

void tell() {
    int number = 7;
    MPI_Send(&number, 1, MPI_INT, partner, 3, MPI_COMM_WORLD);
}

struct Slow {
    Slow() { hear(); }

    int value = 5;
};

int slow_static() {
    static Slow slow; // a guard: one thread constructs, the other waits
    return slow.value;
}

void wait_in_every_way() {
    {
        std::mutex mutex;
        std::binary_semaphore held{0};
        std::jthread thread([&] {
            std::lock_guard guard(mutex);
            held.release();
            hear();
        });
        held.acquire();
        std::lock_guard guard(mutex);
    }
    {
        std::shared_mutex mutex;
        std::latch held{2};
        std::jthread thread([&] {
            std::unique_lock guard(mutex);
            held.count_down();
            hear();
        });
        held.arrive_and_wait();
        std::shared_lock guard(mutex);
    }
    {
        std::mutex mutex;
        std::condition_variable condition;
        bool ready = false;
        std::jthread thread([&] {
            hear();
            std::lock_guard guard(mutex);
            ready = true;
            condition.notify_one();
        });
        std::unique_lock guard(mutex);
        condition.wait(guard, [&] { return ready; });
    }
    {
        std::future<int> answer = std::async(std::launch::async, [] {
            hear();
            return 42;
        });
        CHECK_EQUAL(answer.get(), 42);
    }
    {
        std::atomic<int> word{0};
        std::jthread thread([&] {
            hear();
            word.store(1);
            word.notify_all();
        });
        word.wait(0);
        CHECK_EQUAL(word.load(), 1);
    }
    {
        std::jthread thread([] { CHECK_EQUAL(slow_static(), 5); });
        CHECK_EQUAL(slow_static(), 5);
    }
}

} // namespace

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    partner = rank ^ 1;
    is_first = rank % 2 == 0;
    constexpr int ways = 6;
    for (int round = 0; round < 2; ++round) {
        if (is_first == (round == 0))
            wait_in_every_way();
        else
            for (int i = 0; i < ways; ++i)
                tell();
        MPI_Barrier(MPI_COMM_WORLD);
    }

    int ends[2];
    if (is_first)
        CHECK_EQUAL(pipe(ends), 0);
    share(ends, 2);
    if (is_first) {
        std::ifstream in("/proc/self/fd/" + std::to_string(ends[0]));
        std::string word;
        int number = 0;
        CHECK(bool(in >> word >> number));
        CHECK(word == "number" && number == 17);
    } else {
        std::ofstream out("/proc/self/fd/" + std::to_string(ends[1]));
        out << "number " << 17 << std::endl;
        CHECK(bool(out));
    }
    return finish();
}
