#include "inspect/poll_looks.h"

#include "base/clock.h"
#include "fiber/activity.h"
#include "fiber/os_threads.h"
#include "inspect/names.h"
#include "rank/job.h"

#include <mutex>
#include <unistd.h>
#include <utility>

namespace thrum {

// Returns which ranks are in a polling call, in most of a few samples.
static std::vector<bool> ranks_that_poll(const ProcessView &now) {
    constexpr int samples = 5, pause_us = 1000;
    std::vector<int> hits(now.ranks.size());
    for (int sample = 0; sample < samples; ++sample) {
        std::unique_lock table(rank_table_mutex()); // as in take_view()
        for (size_t i = 0; i < hits.size(); ++i)
            if (const unsigned function =
                    rank_at(static_cast<int>(i)).call.function.load(std::memory_order_relaxed))
                hits[i] += is_polling_function(name_of_function(function));
        table.unlock();
        ::usleep(pause_us);
    }
    std::vector<bool> polls(hits.size());
    for (size_t i = 0; i < hits.size(); ++i)
        polls[i] = 2 * hits[i] > samples;
    return polls;
}

// Something else can let a rank go on: a timer, a call of the C library, another thread.
bool PollLooks::look(const ProcessView &now) {
    // acquire [timer-2], [inside-1]: as in Activity::is_quiet().
    if (!now.others.empty() || starting_os_threads() != 0 ||
        activity().pending_timers.load(std::memory_order_acquire) != 0 ||
        activity().blocking_calls.load(std::memory_order_acquire) != 0) { // [inside-1]
        watch_.forget();
        return false;
    }
    std::vector<uint32_t> progress;
    for (const ThreadView &rank : now.ranks)
        progress.push_back(rank.waits);
    if (progress != progress_) { // spares the samples
        progress_ = std::move(progress);
        watch_.forget();
        return false;
    }
    std::vector<PollWatch::Seen> seen;
    const std::vector<bool> polls = ranks_that_poll(now);
    polling_ = {};
    for (size_t i = 0; i < now.ranks.size(); ++i) {
        seen.push_back(now.ended[i]            ? PollWatch::Seen::Ended
                       : now.ranks[i].blockage ? PollWatch::Seen::Waits
                       : polls[i]              ? PollWatch::Seen::Polls
                                               : PollWatch::Seen::Other);
        polling_.polling += seen.back() == PollWatch::Seen::Polls;
        polling_.waiting += seen.back() == PollWatch::Seen::Waits;
    }
    return watch_.add(now_ns(), progress_, seen);
}

} // namespace thrum
