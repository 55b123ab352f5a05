#include "fiber/quiet.h"

#include "base/futex.h"
#include "fiber/blocking_call.h"
#include "fiber/scheduler.h"
#include "fiber/timer.h"

#include <atomic>

namespace thrum {
namespace {

std::atomic<uint32_t> news{0};

} // namespace

// In this order: a task leaves a timer or a blocking call by becoming active first.
bool process_is_quiet() {
    // acquire [active-1]: what the last active ones have done.
    return pending_timers() == 0 && tasks_in_blocking_calls() == 0 &&
           scheduler().active(std::memory_order_acquire) == 0;
}

ObserverView observer_view() {
    // acquire [quiet-1]
    return {news.load(std::memory_order_acquire), scheduler().departures()};
}

void wait_for_observer_news(const ObserverView &seen, bool quiet_too, int64_t timeout_ns) {
    // seq_cst [quiet-2]: either who ceases to be active sees that, or its departure is seen here.
    scheduler().quiet_is_awaited.store(quiet_too, std::memory_order_seq_cst);
    if (!quiet_too || scheduler().departures() == seen.departures)
        futex_wait(news, seen.news, timeout_ns);
    scheduler().quiet_is_awaited.store(false, std::memory_order_relaxed);
}

void notify_observer() {
    news.fetch_add(1, std::memory_order_release); // release [quiet-1]
    futex_wake(news);
}

} // namespace thrum
