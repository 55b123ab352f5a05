// Counts the CPU time of ranks (libc/cpu_time.h).
//
// A fiber is charged at the next switch of its worker. Short stretches are measured by the
// time-stamp counter. After a long one, in which the worker may have slept, the CPU clock of its OS
// thread is read, which also corrects the counter's errors. A rank's time is the sum of its share
// from before, what it was charged, what it has used since the last switch, and the clocks of its
// other threads.
#include "libc/cpu_time.h"

#include "base/check.h"
#include "base/clock.h"
#include "fiber/worker.h"
#include "libc/child_processes.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/resume.h"
#include "libc/signals.h"
#include "libc/thread_states.h"
#include "rank/vain_polls.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <sys/resource.h>
#include <sys/times.h>
#include <unistd.h>

namespace thrum {
namespace {

using CpuTime = std::atomic<int64_t>; // of fibers and of threads that have ended, in ns

LIBC_STATE(CpuTime, cpu_ns_of)

constexpr int64_t second_ns = 1'000'000'000;
constexpr int64_t short_ns = 20'000; // up to here the counter alone decides

std::atomic<bool> counting{false};
std::atomic<int64_t> share_ns{0}; // of each rank in what was used before counting began
// The rate of the time-stamp counter; refined whenever a thread's clock is read.
std::atomic<double> ns_per_cycle{0.25};
std::atomic<uint64_t> first_cycles{0}; // time-stamp counter when counting began
std::atomic<int64_t> first_ns{0};      // monotonic clock at that moment

// What runs on a worker, and since when. Written on the worker's thread; other threads read
// `running` and `since`.
struct WorkerClock {
    std::atomic<const Worker *> worker{nullptr}; // claims the entry
    std::atomic<RankThread *> running{nullptr};  // the fiber that is charged next
    std::atomic<uint64_t> since{0};              // cycles
    int thread = 0;                              // its OS thread, when the clock was last asked
    int64_t accounted_ns = 0;                    // of that thread's CPU clock
};

constexpr size_t clocks_max = 1024; // as many workers can be counted
WorkerClock clocks[clocks_max];

// Returns the worker's entry, which the first call claims: a hash table with open addressing,
// without locks. Ends the process if it is full. Workers are never freed, so entries are not
// removed.
WorkerClock &clock_of(const Worker *worker) {
    size_t start = (reinterpret_cast<uintptr_t>(worker) >> 7) % clocks_max;
    for (size_t i = 0; i < clocks_max; ++i) {
        WorkerClock &entry = clocks[(start + i) % clocks_max];
        const Worker *owner = entry.worker.load(std::memory_order_relaxed);
        if (owner == worker || (!owner && entry.worker.compare_exchange_strong(
                                              owner, worker, std::memory_order_relaxed)))
            return entry;
    }
    die(2, "more than %zu workers", clocks_max);
}

// Reads the time-stamp counter, which on x86-64 takes some nanoseconds.
uint64_t cycles() {
    return __builtin_ia32_rdtsc();
}

int64_t read_clock(clockid_t clock) {
    timespec t = {};
    ::clock_gettime(clock, &t);
    return static_cast<int64_t>(t.tv_sec) * second_ns + t.tv_nsec;
}

clockid_t clock_of_thread(int thread) { // as pthread_getcpuclockid() makes it
    constexpr int per_thread = 4, scheduled = 2;
    return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | per_thread | scheduled);
}

// Adds time to the rank of `thread`.
void charge(RankThread &thread, int64_t ns) {
    if (ns > 0)
        cpu_ns_of(libc_of(*thread.rank)).fetch_add(ns, std::memory_order_relaxed);
}

// Computes the rate over all the time since counting began. The first millisecond would give a bad
// one.
void refine_rate() {
    uint64_t passed = cycles() - first_cycles.load(std::memory_order_relaxed);
    int64_t ns = now_ns() - first_ns.load(std::memory_order_relaxed);
    if (ns > 1'000'000 && passed > 0)
        ns_per_cycle.store(static_cast<double>(ns) / static_cast<double>(passed),
                           std::memory_order_relaxed);
}

// Charges the fiber that has run on this worker up to now. On the worker's thread. `exactly`: reads
// the thread's clock, however short the stretch was.
void settle(WorkerClock &clock, bool exactly) {
    uint64_t now = cycles();
    RankThread *ran = clock.running.load(std::memory_order_relaxed);
    uint64_t passed = now - clock.since.load(std::memory_order_relaxed);
    clock.since.store(now, std::memory_order_relaxed);
    auto ns = static_cast<int64_t>(static_cast<double>(passed) *
                                   ns_per_cycle.load(std::memory_order_relaxed));
    if (exactly || ns > short_ns || !ran) {
        int thread = ::gettid();
        int64_t thread_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
        // A worker that is run by another OS thread now has another clock, which cannot be
        // compared.
        if (thread == clock.thread)
            ns = thread_ns - clock.accounted_ns;
        clock.thread = thread;
        clock.accounted_ns = thread_ns;
        refine_rate();
    } else {
        clock.accounted_ns += ns;
    }
    if (ran)
        charge(*ran, ns);
}

// Called on the worker for each resumed fiber (libc/resume.h).
void count_time_of(RankThread &resumed) {
    WorkerClock &clock = clock_of(resumed.worker);
    settle(clock, false);
    clock.running.store(&resumed, std::memory_order_relaxed);
}

timeval to_timeval(int64_t ns) {
    return {static_cast<time_t>(ns / second_ns), static_cast<suseconds_t>(ns % second_ns / 1000)};
}

double seconds(const timeval &t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

// Returns the CPU time of the calling rank.
int64_t own_time_ns() {
    start_counting_cpu_time();
    return cpu_time_ns(current_rank());
}

// Gets the usage of the calling rank. Memory and faults are known for the process only. The rank's
// CPU time is split into user and system time in the proportion of the process.
int own_usage(rusage *usage) {
    if (::getrusage(RUSAGE_SELF, usage) != 0)
        return -1;
    double user = seconds(usage->ru_utime), system = seconds(usage->ru_stime);
    double part = user + system > 0 ? user / (user + system) : 1;
    int64_t total_ns = own_time_ns();
    auto user_ns = static_cast<int64_t>(static_cast<double>(total_ns) * part);
    usage->ru_utime = to_timeval(user_ns);
    usage->ru_stime = to_timeval(total_ns - user_ns);
    return 0;
}

// Returns whether the calling thread is a fiber, whose CPU time only we know.
bool is_own_fiber() {
    return current_task().kind == TaskKind::Fiber;
}

int override_getrusage(int who, rusage *usage) {
    if (in_forked_child())
        return ::getrusage(static_cast<__rusage_who>(who), usage);
    if (who == RUSAGE_SELF || (who == RUSAGE_THREAD && is_own_fiber()))
        return own_usage(usage);
    if (who != RUSAGE_CHILDREN)
        return ::getrusage(static_cast<__rusage_who>(who), usage);
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    *usage = children_of(state).usage ? *children_of(state).usage : rusage{};
    return 0;
}

clock_t override_times(tms *buffer) {
    clock_t now = ::times(nullptr);
    if (in_forked_child() || !buffer)
        return buffer ? ::times(buffer) : now;
    rusage own = {}, children = {};
    override_getrusage(RUSAGE_SELF, &own);
    override_getrusage(RUSAGE_CHILDREN, &children);
    auto per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    auto ticks = [per_second](const timeval &t) {
        return static_cast<clock_t>(seconds(t) * per_second);
    };
    *buffer = {ticks(own.ru_utime), ticks(own.ru_stime), ticks(children.ru_utime),
               ticks(children.ru_stime)};
    return now;
}

clock_t override_clock() {
    count_outside_look();
    if (in_forked_child())
        return ::clock();
    return static_cast<clock_t>(own_time_ns() / (second_ns / CLOCKS_PER_SEC));
}

int override_clock_gettime(clockid_t clock, timespec *time) {
    count_outside_look();
    bool of_rank =
        clock == CLOCK_PROCESS_CPUTIME_ID || (clock == CLOCK_THREAD_CPUTIME_ID && is_own_fiber());
    if (!of_rank || in_forked_child()) [[likely]]
        return ::clock_gettime(clock, time);
    int64_t ns = own_time_ns();
    *time = {static_cast<time_t>(ns / second_ns), static_cast<long>(ns % second_ns)};
    return 0;
}

const FunctionOverride table[] = {
    OVERRIDE("getrusage", override_getrusage),
    OVERRIDE("times", override_times),
    OVERRIDE("clock", override_clock),
    OVERRIDE("clock_gettime", override_clock_gettime),
};

} // namespace

LIBC_FUNCTIONS(table);

void start_counting_cpu_time() {
    if (counting.load(std::memory_order_acquire)) // acquire [cpu-time-1]
        return;
    static SpinLock lock;
    SignalHold hold;
    LockGuard guard(lock);
    if (counting.load(std::memory_order_relaxed))
        return;
    first_cycles.store(cycles(), std::memory_order_relaxed);
    first_ns.store(now_ns(), std::memory_order_relaxed);
    share_ns.store(read_clock(CLOCK_PROCESS_CPUTIME_ID) / std::max(rank_count(), 1),
                   std::memory_order_relaxed);
    do_at_resume(AtResume::CountTime, count_time_of);
    counting.store(true, std::memory_order_release); // release [cpu-time-1]: where it began
}

// For a fiber of another worker the time since its last switch is estimated by the time-stamp
// counter: its worker may be switching at this moment, so the result may be off by one stretch.
int64_t cpu_time_ns(Rank &rank) {
    SignalHold hold; // a handler could move us to another worker
    LibcState &state = libc_of(rank);
    int64_t total_ns = 0;
    if (rank.kind == TaskKind::Fiber) {
        total_ns = share_ns.load(std::memory_order_relaxed);
        WorkerClock &clock = clock_of(rank.worker);
        if (&rank == current_task_or_null) {
            settle(clock, true);
            // It has run here since before counting began.
            clock.running.store(&rank, std::memory_order_relaxed);
        } else if (clock.running.load(std::memory_order_relaxed) == &rank &&
                   rank.state.load(std::memory_order_relaxed) == TaskState::Running) {
            uint64_t since = clock.since.load(std::memory_order_relaxed);
            total_ns += static_cast<int64_t>(static_cast<double>(cycles() - since) *
                                             ns_per_cycle.load(std::memory_order_relaxed));
        }
    } else {
        total_ns = read_clock(clock_of_thread(rank.os_thread_id.load(std::memory_order_relaxed)));
    }
    StateGuard guard(state.lock);
    for (const ThreadState *thread : threads_of(state).others)
        total_ns += read_clock(clock_of_thread(thread->os_thread_id));
    return total_ns + cpu_ns_of(state).load(std::memory_order_relaxed);
}

void add_cpu_time_of_ending_thread(LibcState &state) {
    cpu_ns_of(state).fetch_add(read_clock(CLOCK_THREAD_CPUTIME_ID), std::memory_order_relaxed);
}

} // namespace thrum
