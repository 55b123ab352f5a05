// Describes, for deadlock and status reports (rank/rank.h), what a blocked synchronization call
// waits for. Objects are on the stack of the blocked call. Reports read the window without its
// guard, while the process is idle.
#pragma once
#include "rma/window.h"

namespace thrum {

// MPI_Win_start waits for calls of MPI_Win_post.
struct PostBlockage : Blockage {
    explicit PostBlockage(const Window &window);
    const Window &win;
};

// MPI_Win_wait waits for calls of MPI_Win_complete.
struct CompleteBlockage : Blockage {
    explicit CompleteBlockage(const Window &window);
    const Window &win;
};

// A call that waits for operations that were begun in other processes.
struct AnswerBlockage : Blockage {
    explicit AnswerBlockage(const Window &window);
    const Window &win;
};

// MPI_Win_lock that waits, or MPI_Win_lock_all (with a negative target).
struct LockBlockage : Blockage {
    LockBlockage(const Window &window, int locked_target, WindowLock::Mode wanted);
    const Window &win;
    int target;
    WindowLock::Mode mode;
};

} // namespace thrum
