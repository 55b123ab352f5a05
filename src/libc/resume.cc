// The hook of the fiber layer for resumed fibers (libc/resume.h).
#include "libc/resume.h"

#include "fiber/worker.h"
#include "libc/signals.h"
#include "rank/contained.h"

#include <atomic>

namespace thrum {
namespace {

using Action = void(RankThread &);
std::atomic<Action *> actions[2]; // by AtResume; nullptr: none

// Runs the actions with signals held, because a handler must find the rank's directory and its CPU
// time counted. The end of the hold delivers signals that have arrived meanwhile.
void at_resume(Task &task) {
    auto &thread = static_cast<RankThread &>(task);
    {
        SignalHold hold;
        for (std::atomic<Action *> &action : actions)
            if (Action *function = action.load(std::memory_order_relaxed))
                function(thread);
    }
    end_if_condemned(thread); // does not return then
}

} // namespace

void do_at_resume(AtResume what, void (*function)(RankThread &)) {
    actions[static_cast<int>(what)].store(function, std::memory_order_relaxed);
    set_resume_function(&at_resume); // releases what the caller has prepared: [resume-1]
}

void deliver_signals_at_resume() {
    set_resume_function(&at_resume);
}

} // namespace thrum
