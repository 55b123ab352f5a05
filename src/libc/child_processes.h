// The child processes of a rank.
#pragma once
#include "base/may_suspend.h"
#include "libc/libc_state.h"

#include <memory>
#include <sys/resource.h>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace thrum {

// Guarded by LibcState::lock.
struct ChildProcesses {
    std::vector<pid_t> all;   // of fork, posix_spawn, popen: wait() reaps only these
    std::vector<pid_t> ended; // of `all`: SIGCHLD has been sent
    std::vector<std::pair<pid_t, int>> stopped;  // si_code of the last such SIGCHLD
    std::vector<std::pair<FILE *, pid_t>> pipes; // of popen
    std::unique_ptr<rusage> usage;               // of those that the rank has reaped; made on use

    bool is_referred_to() const { return !all.empty(); }
};

ChildProcesses &children_of(LibcState &state);
void remember_child(pid_t pid);
pid_t wait_for_child(pid_t pid, int *status, int options) MAY_SUSPEND;

} // namespace thrum
