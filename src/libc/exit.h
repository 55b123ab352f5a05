// The end of a rank, as exit(), _exit() and abort() bring it about.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// exit(): thread-local destructors, the rank's atexit list, its image's destructors, its stdio;
// then the rank ends, and with the last rank the process. Does not return.
[[noreturn]] void rank_exit(int code);
// _exit(): none of these but the end.
[[noreturn]] void rank_exit_now(int code);
[[noreturn]] void abort_rank();
void run_thread_local_destructors();

} // namespace thrum
