// The child processes of a rank (child_processes.cc). The signal thread uses them, too, to send
// SIGCHLD to the right rank (signal_thread.cc).
#pragma once
#include "base/may_suspend.h"
#include "libc/libc_state.h"

#include <memory>
#include <sys/resource.h>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace thrum {

// What a rank knows of its children. Guarded by LibcState::lock.
struct ChildProcesses {
    std::vector<pid_t> all;   // of fork, posix_spawn, popen: wait() reaps only these
    std::vector<pid_t> ended; // of `all`: SIGCHLD has been sent
    std::vector<std::pair<pid_t, int>> stopped;  // si_code of the last SIGCHLD for a stop
    std::vector<std::pair<FILE *, pid_t>> pipes; // open FILEs of popen()
    std::unique_ptr<rusage> usage;               // sum over reaped children; made on use

    bool is_referred_to() const { return !all.empty(); }
};

// Returns those of the rank with this state.
ChildProcesses &children_of(LibcState &state);
// Makes a process that the calling rank has started one of its children.
void remember_child(pid_t pid);
// Does what waitpid() of the calling rank does. Waits on a spare worker.
pid_t wait_for_child(pid_t pid, int *status, int options) MAY_SUSPEND;

} // namespace thrum
