// A process is quiet if no task of it runs, and neither a timer nor the return from a blocking call
// will make one run: only another process can (external_waits.h). One thread, the observer, may
// wait for that. A worker that falls asleep pays one load for this. An observer that would be woken
// too often looks from time to time instead.
#pragma once
#include <cstdint>

namespace thrum {

bool process_is_quiet();

// The state that the observer has seen. notify_observer() and tasks that fall asleep change it.
struct ObserverView {
    uint32_t news = 0;
    uint32_t departures = 0;
};

ObserverView observer_view();
// Sleeps until there is news after `seen`, until `timeout_ns` is over (< 0: no limit), or with
// `quiet_too` until the process has become quiet after `seen`. May return early.
void wait_for_observer_news(const ObserverView &seen, bool quiet_too, int64_t timeout_ns);
// Makes news for the observer. Any thread may call it.
void notify_observer();

} // namespace thrum
