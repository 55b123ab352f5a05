// The threads that ranks make.
#pragma once
#include "libc/libc_state.h"

namespace thrum {

// Prepares the calling thread or fiber, before anything of the program runs there.
void enter_main_thread(LibcState &state);
// Starts a detached thread of `rank`. Returns 0 or an error number.
int start_thread_of(Rank &rank, void *(*function)(void *), void *argument);

} // namespace thrum
