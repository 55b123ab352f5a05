// The table of processes, and which MPI calls a process may make when. `active` sums up both models
// (World Model and sessions), so an entry point checks one byte.
#include "comm/process.h"

#include "comm/process_table.h"

#include <cstddef>

namespace thrum {

constinit ProcessTable the_processes;
std::atomic<bool> detail::all_calls_are_looked_at{false};

Process &process_at(int world_rank) {
    CHECK(world_rank >= 0 && world_rank < process_count(), "world rank %d of %d", world_rank,
          process_count());
    return the_processes.processes[world_rank];
}

// Returns the process of any rank. Processes elsewhere need only a number. For added ones it is
// written at the first use, because there can be thousands that are never asked for.
Process &known_process(int world_rank) {
    if (world_rank < the_processes.first_count || world_rank < added_rank(0))
        return process_at(world_rank);
    static SpinLock lock; // held by those who write numbers
    CHECK(world_rank < the_processes.end, "world rank %d", world_rank);
    LockGuard guard(lock);
    Process &process = the_processes.processes[world_rank];
    if (process.number == world_rank)
        return process;
    process.number = world_rank;
    int seen = the_processes.count.load(std::memory_order_relaxed);
    // release [processes-1]: its number
    while (world_rank >= seen && !the_processes.count.compare_exchange_weak(
                                     seen, world_rank + 1, std::memory_order_release))
        ;
    return process;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof" // GCC and Clang support it

// A mailbox is part of its process, so the address gives the process.
Process &process_of(Mailbox &mailbox) {
    return *reinterpret_cast<Process *>(reinterpret_cast<char *>(&mailbox) -
                                        offsetof(Process, mailbox));
}

#pragma GCC diagnostic pop

// Allocates outside the lock and drops the surplus object if another thread was faster.
Recorder &recorder_of(Process &process) {
    static SpinLock first_use; // two threads of a rank may both be the first
    auto *made = new Recorder;
    {
        LockGuard guard(first_use);
        if (!process.mailbox.recorder.load(std::memory_order_relaxed)) {
            // release [recorder-1]: it is constructed.
            process.mailbox.recorder.store(made, std::memory_order_release);
            process.rank->recorder.store(made, std::memory_order_release); // [recorder-1]
            return *made;
        }
    }
    delete made;
    return *process.mailbox.recorder.load(std::memory_order_acquire); // [recorder-1]
}

int process_count() {
    return the_processes.count.load(std::memory_order_acquire); // acquire [processes-1]
}

namespace {

// Updates `admission`. The caller holds models_lock.
void note_activity(Process &process) {
    const bool is_open =
        !process.is_closed.load(std::memory_order_relaxed) && is_unfinished(process);
    process.admission.store(!is_open || process.thread_level != MPI_THREAD_MULTIPLE
                                ? Admission::Asked
                            : looks_at_all_calls() ? Admission::Watched
                                                   : Admission::Free,
                            std::memory_order_relaxed);
}

} // namespace

void look_at_all_calls() {
    detail::all_calls_are_looked_at.store(true, std::memory_order_relaxed);
}

bool begin_world(Process &process, int required) {
    LockGuard guard(process.models_lock);
    if (process.state.load(std::memory_order_relaxed) != ProcessState::Created)
        return false;
    process.thread_level = settings().is_strict() ? required : MPI_THREAD_MULTIPLE;
    process.main_thread.store(&current_rank_thread(), std::memory_order_relaxed);
    process.valid_world = process.world;
    process.valid_self = process.self;
    process.state.store(ProcessState::Initialized, std::memory_order_relaxed);
    note_activity(process);
    return true;
}

void end_world(Process &process) {
    LockGuard guard(process.models_lock);
    process.valid_world = process.valid_self = nullptr;
    process.state.store(ProcessState::Finalized, std::memory_order_relaxed);
    note_activity(process);
}

void close_process(Process &process) {
    LockGuard guard(process.models_lock);
    process.is_closed.store(true, std::memory_order_relaxed);
    note_activity(process);
}

int count_session(Process &process, int change) {
    LockGuard guard(process.models_lock);
    int sessions = process.sessions.load(std::memory_order_relaxed) + change;
    process.sessions.store(sessions, std::memory_order_relaxed);
    process.had_sessions.store(true, std::memory_order_relaxed);
    process.thread_level = MPI_THREAD_MULTIPLE; // a session always provides it
    note_activity(process);
    return sessions;
}

} // namespace thrum
