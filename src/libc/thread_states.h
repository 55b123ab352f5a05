// The threads of a rank, and the state that each of them has.
#pragma once
#include "libc/libc_state.h"

#include <atomic>
#include <string>
#include <vector>

namespace thrum {

// The state of one thread.
struct ThreadState {
    void *thread_pointer = nullptr; // its FS base
    int os_thread_id = 0;           // gettid()
    std::string dl_error;           // what dlerror() returns next, if ours
    std::string dl_error_text;      // what it has returned
};

struct RankThreads {
    ThreadState main;
    std::vector<ThreadState *> others; // that the rank has made; guarded by LibcState::lock
    std::atomic<int> running{0};       // made by pthread_create(), not ended

    bool is_referred_to() const {
        return !others.empty() || running.load(std::memory_order_acquire) > 0; // [threads-1]
    }
};

RankThreads &threads_of(LibcState &state);
ThreadState &own_thread_state();

} // namespace thrum
