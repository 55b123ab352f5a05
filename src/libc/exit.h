// The end of a rank by exit(), _exit() and abort() (exit.cc).
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Does what exit() does: runs thread-local destructors, the rank's atexit list and its image's
// destructors, and flushes its stdio. Then the rank ends, and with the last rank the process. In a
// child of fork() only that process ends.
[[noreturn]] void rank_exit(int code);
// Does what _exit() does: none of these but the end. Buffers of FILEs are lost.
[[noreturn]] void rank_exit_now(int code);
// Does what abort() does: runs the rank's handler of SIGABRT, then ends the job with a crash
// report.
[[noreturn]] void abort_rank();
// Runs the destructors of the calling thread's thread-local objects.
void run_thread_local_destructors();

} // namespace thrum
