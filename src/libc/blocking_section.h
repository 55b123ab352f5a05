// A call that may take long in the kernel, made by a rank: of the C library (blocking.h) or of
// libmpi. The rank goes to a spare worker for it (fiber/blocking_call.h), and the other ranks of
// its worker go on.
#pragma once
#include "fiber/blocking_call.h"
#include "libc/forked_child.h"
#include "libc/signals.h"
#include "rank/vain_polls.h"

namespace thrum {

// Returns whether the caller cannot move to a spare worker: it is a thread of no rank, a child of
// fork(), or a signal handler that the signal thread runs for a rank that waits.
inline bool waits_in_place() {
    const auto *self = static_cast<const RankThread *>(current_task_or_null);
    return !self || in_forked_child() || signals_of(*self).visited.load(std::memory_order_relaxed);
}

// Makes a call that may block, and returns its result. `name` is the function, for reports.
// Handlers of signals run during the call, but not while the rank moves to the spare worker and
// back.
template <class Call>
auto blocking(const char *name, Call call) MAY_SUSPEND {
    count_outside_look();
    if (waits_in_place())
        return call();
    BlockingCall section;
    {
        SignalHold hold;
        section.enter(name);
    }
    auto result = call();
    SignalHold hold;
    section.leave();
    return result;
}

} // namespace thrum
