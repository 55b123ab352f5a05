// How a rank waits: visibly for reports, and first a while for what comes from other processes.
#pragma once
#include "fiber/completion.h"
#include "rank/rank.h"

namespace thrum {

// Looks for what comes from other processes until `completion` is done, while that is worth it. Of
// Completion::wait() it is the part that counts: it does not pause once a look has brought it.
inline void look_until_done(const Completion &completion) {
    constexpr unsigned looks_max = 1000;
    for (unsigned looks = 0; looks < looks_max && !completion.done() && should_spin(looks); ++looks)
        if (completion.done())
            return;
        else
            cpu_pause();
}

// Waits, visibly for reports.
void wait_blocked(Completion &completion, const Blockage &blockage) MAY_SUSPEND;

} // namespace thrum
