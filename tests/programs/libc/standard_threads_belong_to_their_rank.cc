// ranks: 1 6
// std::thread and std::async: threads see their rank's globals, throw and catch, and run the
// destructors of their thread-locals before join() returns.
#include "check.h"

#include <atomic>
#include <cstdlib>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> destroyed;
static int global;

struct Counted {
    int value = 1;

    ~Counted() { destroyed += value; }
};

static thread_local Counted counted;
static thread_local int *pointer_to_global = &global;

int main(int argc, char **argv) {
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    global = rank;
    std::mutex mutex;
    std::vector<int> seen;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            counted.value = 1;
            int own = -1;
            MPI_Comm_rank(MPI_COMM_WORLD, &own);
            CHECK_EQUAL(own, rank);
            try {
                throw std::runtime_error("thrown");
            } catch (const std::exception &) {
                std::lock_guard<std::mutex> guard(mutex);
                seen.push_back(*pointer_to_global);
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    CHECK_EQUAL(seen.size(), 4);
    for (int value : seen)
        CHECK_EQUAL(value, rank);
    CHECK_EQUAL(destroyed, 4);
    CHECK_EQUAL(std::async(std::launch::async, [rank] { return 2 * rank; }).get(), 2 * rank);
    MPI_Finalize();
    return 0;
}
