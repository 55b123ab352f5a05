// Quiet: no task of this process runs, none will by a timer or by coming back from a blocking call:
// only another process can make one run (outside.h). One thread, the observer, may wait for that.
// It costs those who fall asleep a load; an observer that is woken too often looks now and then.
#pragma once
#include <cstdint>

namespace thrum {

bool process_is_quiet();

// What the observer has seen: changed by notify_observer(), and by tasks that fell asleep.
struct ObserverView {
    uint32_t news = 0;
    uint32_t departures = 0;
};

ObserverView observer_view();
// Returns when there is news after `seen`, after `timeout_ns` (< 0: no limit), or for no reason;
// `quiet_too`: also when the process has become quiet after `seen`.
void wait_for_observer_news(const ObserverView &seen, bool quiet_too, int64_t timeout_ns);
// Any thread.
void notify_observer();

} // namespace thrum
