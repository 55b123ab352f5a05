// ranks: 1 2 6
// Threads of a rank from their first to their last instruction: thread-local objects, destructors
// of keys (POSIX pthread_key_create: "at thread exit"), C11 and standard threads, detached ones:
// all are the rank's.
#include "check.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <threads.h>
#include <vector>

static int rank, constructed_for = 0;
static std::atomic<int> constructed, destroyed, keys_destroyed, running;
static pthread_key_t key;
static tss_t c_key;

static void check_rank() {
    int own = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    CHECK_EQUAL(own, rank);
    CHECK_EQUAL(std::atoi(std::getenv("MY_RANK")), rank);
}

struct PerThread {
    PerThread() : text("rank " + std::to_string(rank)) { ++constructed; }

    ~PerThread() {
        check_rank();
        ++destroyed;
        constructed_for += 0;
    }

    std::string text;
};

static thread_local PerThread per_thread;
static thread_local int *pointer = &constructed_for;

static void end_of_key(void *value) {
    CHECK(value == static_cast<void *>(&key) || value == static_cast<void *>(&c_key));
    check_rank();
    ++keys_destroyed;
}

static void work() {
    check_rank();
    CHECK(per_thread.text == "rank " + std::to_string(rank));
    CHECK(pointer == &constructed_for);
    pthread_setspecific(key, &key);
    tss_set(c_key, &c_key);
}

static void *by_posix(void *how) {
    work();
    if (how)
        pthread_exit(nullptr);
    return nullptr;
}

static int by_c11(void *) {
    work();
    thrd_exit(rank);
}

static void *detached(void *) {
    work();
    --running;
    return nullptr;
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    setenv("MY_RANK", std::to_string(rank).c_str(), 1);
    pthread_key_create(&key, end_of_key);
    tss_create(&c_key, end_of_key);
    for (int round = 0; round < 3; ++round) {
        pthread_t threads[2];
        for (int i = 0; i < 2; ++i)
            CHECK_EQUAL(pthread_create(&threads[i], nullptr, by_posix, i ? &key : nullptr), 0);
        for (pthread_t thread : threads)
            CHECK_EQUAL(pthread_join(thread, nullptr), 0);
        thrd_t c_thread;
        int result = -1;
        CHECK_EQUAL(thrd_create(&c_thread, by_c11, nullptr), thrd_success);
        CHECK_EQUAL(thrd_join(c_thread, &result), thrd_success);
        CHECK_EQUAL(result, rank);
        std::thread(work).join();
        std::async(std::launch::async, work).get();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_EQUAL(constructed, 15);
    CHECK_EQUAL(destroyed, 15);
    CHECK_EQUAL(keys_destroyed, 30);
    running = 2;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    CHECK_EQUAL(pthread_create(&thread, &attributes, detached, nullptr), 0);
    CHECK_EQUAL(pthread_create(&thread, nullptr, detached, nullptr), 0);
    CHECK_EQUAL(pthread_detach(thread), 0);
    while (running)
        std::this_thread::yield();
    MPI_Finalize();
    return 0;
}
