#include "fiber/watch.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/own_threads.h"
#include "base/settings.h"
#include "fiber/activity.h"
#include "fiber/choice.h"
#include "fiber/external_waits.h"
#include "fiber/scheduler.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

constexpr int64_t look_every_ns = 10'000'000;
// How long a fiber may compute while others wait for its worker. A spare worker means more threads
// than cores, and thus switches by the kernel, so this time is long. It is shorter where a spare
// worker is stuck itself, so that the times of many spinning ranks do not add up.
constexpr int64_t computing_ns_max = 1'000'000'000, computing_on_spare_ns_max = 100'000'000;

// With a seed (fiber/choice.h) the others of a worker wait for a rank that computes or blocks. A
// spare worker runs them only when a rank may be waiting for them outside MPI.
constexpr int64_t seeded_computing_ns_max = 20'000'000'000, seeded_sleeping_ns_max = 200'000'000;

std::atomic<bool> seed_over{false}; // written by the watch

// Returns how long `worker` may keep its queue waiting.
int64_t stuck_ns_max(const Worker &worker, bool computes) {
    if (has_seed() && !seed_is_over())
        return computes ? seeded_computing_ns_max : seeded_sleeping_ns_max;
    if (!computes)
        return 0;
    return worker.is_spare() ? computing_on_spare_ns_max : computing_ns_max;
}

// Says once that the order of the ranks no longer follows from the seed.
void end_seed(bool computes) {
    if (!has_seed() || seed_over.exchange(true, std::memory_order_relaxed))
        return;
    report("a rank %s for %lld ms while others could run. From now on they run beside it, so the "
           "run no longer follows from --seed %s alone",
           computes ? "computes" : "sleeps in the kernel",
           static_cast<long long>(computes ? seeded_computing_ns_max : seeded_sleeping_ns_max) /
               1'000'000,
           settings().seed);
}

// Returns whether the thread sleeps in the kernel: state S or D in its "tid (name) state ...".
bool sleeps_in_kernel(int thread_id) {
    char path[64], text[256];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread_id);
    int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t n = ::read(file, text, sizeof text - 1);
    ::close(file);
    text[n > 0 ? n : 0] = 0;
    const char *end_of_name = std::strrchr(text, ')');
    return end_of_name && end_of_name[1] == ' ' && (end_of_name[2] == 'S' || end_of_name[2] == 'D');
}

class Watch {
public:
    void start();
    void stop();

private:
    // A spare worker that has the queue of a stuck one.
    struct Relief {
        Worker *stuck;
        uint64_t pops; // of the stuck worker, when it got stuck
        bool computes; // otherwise it sleeps in the kernel
        Worker *spare;
    };

    static void *run(void *watch);
    void look();
    void look_at(Worker &worker);
    bool is_over(const Relief &relief) const;
    Relief *relief_of(const Worker &worker);

    pthread_t thread_{};
    std::vector<Relief> reliefs_; // used only by the watch's thread
};

Watch &the_watch() {
    static auto *watch = new Watch; // never destroyed: its thread runs while the process exits
    return *watch;
}

void Watch::start() {
    reliefs_.clear();
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    int error = create_own_thread(&thread_, nullptr, &run, this);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (error)
        die(1, "cannot start the thread that watches the workers: %s; raise ulimit -u",
            std::strerror(error));
}

void Watch::stop() {
    activity().wake_watch();
    join_own_thread(thread_);
}

void *Watch::run(void *watch) {
    auto *self = static_cast<Watch *>(watch);
    while (!activity().stopping()) {
        activity().sleep_as_watch(look_every_ns);
        self->look();
    }
    return nullptr;
}

void Watch::look() {
    for (size_t i = 0; i < reliefs_.size();) {
        if (is_over(reliefs_[i])) {
            reliefs_[i].spare->stop_relieving();
            reliefs_[i] = reliefs_.back();
            reliefs_.pop_back();
        } else {
            ++i;
        }
    }
    for (int i = 0; i < workers().count(); ++i)
        look_at(workers()[i]);
    // The thread that listened last may compute, while the others sleep: one of them must listen.
    if (ExternalWaits *o = external_waits(); o && !o->somebody_listens()) {
        workers().wake_all_sleepers();
        wake_successor();
    }
    for (size_t i = 0; i < reliefs_.size(); ++i)
        look_at(*reliefs_[i].spare);
}

bool Watch::is_over(const Relief &relief) const {
    return relief.stuck->pops() != relief.pops || relief.stuck->is_asleep() ||
           (!relief.computes && !sleeps_in_kernel(relief.stuck->os_thread_id()));
}

Watch::Relief *Watch::relief_of(const Worker &worker) {
    for (Relief &relief : reliefs_)
        if (relief.stuck == &worker)
            return &relief;
    return nullptr;
}

// Relieves a worker that is stuck: it has a backlog and has taken nothing from it since the last
// look, and it sleeps in the kernel or has computed for long.
void Watch::look_at(Worker &worker) {
    constexpr uint64_t no_backlog = ~uint64_t{0};
    int64_t now = now_ns();
    uint64_t pops = worker.pops();
    bool has_backlog = worker.has_work();
    if (!has_backlog || pops != worker.pops_seen_by_watch || worker.is_asleep()) {
        worker.pops_seen_by_watch = has_backlog ? pops : no_backlog;
        worker.stuck_since_ns = now;
        return;
    }
    if (Relief *relief = relief_of(worker)) { // takes tasks that were queued since then
        relief->pops = pops;
        relief->spare->relieve(worker);
        return;
    }
    bool computes = !sleeps_in_kernel(worker.os_thread_id());
    if (now - worker.stuck_since_ns < stuck_ns_max(worker, computes))
        return;
    end_seed(computes);
    // Fibers that move to the spare worker later return to the worker itself when it continues.
    Worker &home = worker.is_spare() ? worker.home() : worker;
    if (Worker *spare = scheduler().take_spare_worker(home)) {
        spare->relieve(worker);
        reliefs_.push_back({&worker, pops, computes, spare});
    }
}

} // namespace

bool seed_is_over() {
    return seed_over.load(std::memory_order_relaxed);
}

void start_watch() {
    the_watch().start();
}

void stop_watch() {
    the_watch().stop();
}

} // namespace thrum
