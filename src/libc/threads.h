// The threads that ranks make (threads.cc).
#pragma once
#include "libc/libc_state.h"

namespace thrum {

// Records the calling thread or fiber as the rank's main one, before anything of the program runs
// there.
void enter_main_thread(LibcState &state);
// Starts a detached thread that belongs to `rank`, with all signals blocked: for timers with
// SIGEV_THREAD. May be called on any thread. Returns 0 or an error number. pthread_exit() of the
// rank does not wait for it.
int start_thread_of(Rank &rank, void *(*function)(void *), void *argument);

} // namespace thrum
