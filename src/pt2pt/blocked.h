// How a rank waits: visibly for reports, and with a first look at what arrives from other
// processes.
#pragma once
#include "fiber/completion.h"
#include "fiber/external_waits.h"
#include "rank/rank.h"

namespace thrum {

// Looks for what arrives from other processes until `completion` is done, while that is worthwhile:
// both ways to wait look, one for processes that share a core, the other for those that do not.
// Unlike the loop in Completion::wait(), it does not pause once a look has completed the operation.
inline void look_until_done(const Completion &completion) {
    constexpr unsigned looks_max = 1000;
    while (!completion.done() && give_way_to_processes(completion)) {
    }
    for (unsigned looks = 0; looks < looks_max && !completion.done() && should_spin(looks); ++looks)
        if (completion.done())
            return;
        else
            cpu_pause();
}

// Counts that a poll of the calling thread has found something. Reports tell by this a thread that
// polls in vain: it neither finds anything nor begins to wait.
inline void count_progress() {
    std::atomic<uint32_t> &waits = current_rank_thread().call.waits; // only this thread writes it
    waits.store(waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Waits until `completion` is done. `blockage` is shown in deadlock and status reports during the
// wait.
void wait_blocked(Completion &completion, const Blockage &blockage) MAY_SUSPEND;

} // namespace thrum
