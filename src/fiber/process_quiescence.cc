#include "fiber/process_quiescence.h"

#include "fiber/activity.h"

namespace thrum {

bool process_is_quiet() {
    return activity().is_quiet();
}

ObserverView observer_view() {
    return {activity().news(), activity().departures()};
}

void wait_for_observer_news(const ObserverView &seen, bool quiet_too, int64_t timeout_ns) {
    activity().sleep_as_observer(seen.news, seen.departures, quiet_too, timeout_ns);
}

void notify_observer() {
    activity().wake_observer();
}

} // namespace thrum
