// The threads of a rank, and the state that each of them has.
//
// A rank has one main thread (a fiber or an OS thread) and those that it makes by pthread_create().
// threads.cc adds and removes their states; dlerror() and CPU time use them.
#pragma once
#include "libc/libc_state.h"

#include <atomic>
#include <string>
#include <vector>

namespace thrum {

// The state of one thread. The thread itself writes it; cpu_time.cc reads the id on others.
struct ThreadState {
    void *thread_pointer = nullptr; // its FS base, by which own_thread_state() finds it
    int os_thread_id = 0;           // gettid(); 0 for the main one, which may be a fiber
    std::string dl_error;           // the next result of dlerror(), if the failure was ours
    std::string dl_error_text;      // the last result, which the program may still read
};

// All threads of one rank.
struct RankThreads {
    ThreadState main;
    std::vector<ThreadState *> others; // made by the rank; owned; guarded by LibcState::lock
    std::atomic<int> running{0}; // of pthread_create(), not ended; timers' threads do not count

    // A thread that still runs uses the rank's state. acquire [threads-1]: what it has done before
    // its end.
    bool is_referred_to() const {
        return !others.empty() || running.load(std::memory_order_acquire) > 0; // [threads-1]
    }
};

// Returns the threads of the rank with this state.
RankThreads &threads_of(LibcState &state);
// Returns the state of the calling thread of the calling rank; the main one's if it has none of its
// own.
ThreadState &own_thread_state();

} // namespace thrum
