// The watch: a thread that looks, while fibers run, for workers that are stuck.
//
// Blocking calls that we know go to spare workers by themselves (fiber/blocking_call.h). For all
// others (a futex that libgomp waits on by an instruction of its own, an ioctl) the watch sees that
// a worker with a backlog sleeps in the kernel, and hands its run queue to a spare worker, which
// keeps it until the worker is back. While no fiber runs, the watch sleeps, too.
#pragma once
#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <vector>

namespace thrum {

class Worker;

class Watch {
public:
    void start();
    void stop();

    // Called when the first worker wakes up.
    void wake() {
        if (sleeps_.load(std::memory_order_seq_cst)) [[unlikely]] // [watch-1]
            nudge();
    }

private:
    // A spare worker in the place of one that is stuck.
    struct Relief {
        Worker *stuck;
        uint64_t pops; // of the stuck worker, when it was
        bool computes; // else it sleeps in the kernel
        Worker *spare;
    };

    static void *run(void *watch);
    void nudge();
    void wait_for_a_while();
    void look();
    void look_at(Worker &worker);
    bool is_over(const Relief &relief) const;
    Relief *relief_of(const Worker &worker);

    pthread_t thread_{};
    std::atomic<uint32_t> word_{0}; // futex
    std::atomic<bool> sleeps_{false};
    std::vector<Relief> reliefs_; // the thread's own
};

} // namespace thrum
