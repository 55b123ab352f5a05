// Ends the job when a process is lost on which bound ranks depend (bound_ranks.h). The loss is
// reported on a thread that must not wait, so a thread is created. It first gives the launcher time
// to end the job with a better explanation.
#include "lifecycle/bound_ranks.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/own_threads.h"
#include "base/spinlock.h"
#include "comm/process.h"
#include "fiber/library_threads.h"
#include "fiber/timer.h"
#include "inspect/names.h"
#include "pt2pt/lost.h"
#include "rank/job_end.h"
#include "rank/status_page.h"
#include "wireup/wireup.h"

#include <mpi.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

// The bound ranks of this process.
struct BoundRanks {
    SpinLock lock; // guards the list
    std::vector<const Rank *> ranks;
};

BoundRanks &bound() {
    static auto *the_bound = new BoundRanks; // never destroyed: processes are lost until the end
    return *the_bound;
}

// Returns a bound rank, or nullptr if there is none. Ranks that the program does not use have
// ended, and do not count.
const Rank *first_bound() {
    LockGuard guard(bound().lock);
    for (const Rank *rank : bound().ranks)
        if (!rank->ended.load(std::memory_order_relaxed))
            return rank;
    return nullptr;
}

std::atomic<NodeProcess> lost_by_bound{no_process}; // the first lost process

// Returns how long to wait for the launcher, which knows more about the cause. If no launcher
// reports it, the first process that is left waits less and reports for all.
unsigned patience_s() {
    int first = 0;
    while (is_lost_process(NodeProcess(first)) || has_left(NodeProcess(first)))
        ++first;
    return NodeProcess(first) == this_node_process() ? 4 : 6;
}

// Ends the job unless the launcher does so first. Runs on a thread of its own, because the loss was
// reported on a thread that must not wait.
void *end_job_later(void *) {
    add_library_thread();
    sleep_through(patience_s());
    claim_end();
    announce_end_of_job();
    char where[64] = "outside MPI calls";
    const Rank *rank = first_bound();
    if (!rank)
        rank = &rank_at(0); // it has just left them all
    if (unsigned function = rank->call.function.load(std::memory_order_relaxed))
        std::snprintf(where, sizeof where, "in %s", name_of_function(function));
    report("rank %d, %s, cannot continue: %s", rank->world_rank, where,
           lost_process_sentence(lost_by_bound.load(std::memory_order_relaxed)).c_str());
    end_job(MPI_ERR_PROC_ABORTED);
}

// Starts the thread, once per process. Its wait counts as a pending timer, so that the ranks that
// wait meanwhile are not reported as deadlocked.
void begin_end_of_job(NodeProcess lost_process) {
    NodeProcess none;
    if (!lost_by_bound.compare_exchange_strong(none, lost_process, std::memory_order_relaxed))
        return;
    add_pending_timers(1); // the wait is not a deadlock
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    pthread_t thread;
    const int error = create_own_thread(&thread, nullptr, end_job_later, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    CHECK(error == 0, "cannot start a thread to end a job that has lost a process: error %d",
          error);
    ::pthread_detach(thread);
}

// Called for each process that ends. One that has left in order is not lost and does not count.
void process_is_lost(NodeProcess process) {
    if (is_lost_process(process) && first_bound()) // a process that has left does not count
        begin_end_of_job(process);
}

// Writes the number of bound ranks to the status page, which mpiexec reads.
void show_launcher(size_t count) {
    if (StatusPage *page = status_page())
        page->bound_ranks.store(static_cast<uint32_t>(count), std::memory_order_relaxed);
}

} // namespace

// The rank is in the list before the lost processes are looked at, so no loss is missed in between.
void bind_to_others(const Rank &rank) {
    when_process_is_lost(process_is_lost);
    {
        LockGuard guard(bound().lock);
        bound().ranks.push_back(&rank);
        show_launcher(bound().ranks.size());
    }
    for (NodeProcess process : NodeProcesses(lost_process_end()))
        if (is_lost_process(process)) // if it is lost only later, process_is_lost() finds the rank
            begin_end_of_job(process);
}

void unbind_from_others(const Rank &rank) {
    LockGuard guard(bound().lock);
    std::vector<const Rank *> &ranks = bound().ranks;
    auto found = std::ranges::find(ranks, &rank);
    if (found == ranks.end())
        return;
    ranks.erase(found);
    show_launcher(ranks.size());
}

} // namespace thrum
