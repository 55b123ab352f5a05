#include "fiber/activity.h"

#include "base/futex.h"
#include "fiber/choice.h"
#include "fiber/external_waits.h"

namespace thrum {

constinit Activity the_activity;

namespace {

QuiescenceFunction *quiescence_function = nullptr;

} // namespace

void set_quiescence_function(QuiescenceFunction *function) {
    quiescence_function = function;
}

// The report runs again if a thread was active during it, because that thread may have changed what
// the report has seen.
void Activity::drop_active() {
    uint64_t left = count_departure();
    if (active_in(left) == 0 && quiet_is_awaited_.load(std::memory_order_seq_cst)) // [quiet-2]
        wake_observer();
    while (active_in(left) == 0 && !has_pending() && !stopping() && quiescence_function &&
           !external_waits()) {
        // The report itself counts. Otherwise tasks that it wakes would be alone when they wait
        // again, and would report at the same time.
        add_active();
        quiescence_function();
        uint64_t now = count_departure();
        if (now == left + one_departure)
            return;
        left = now; // a thread was active during the report, which may have missed its last step
    }
}

// A task is active, or inside a blocking call, or for a moment both. A task may become active after
// the look at `blocking_calls` and before the second look at the word. Then the word differs for
// good, because it counts departures.
bool Activity::only_report_is_active() const {
    // acquire [active-1]: a task that has left for a blocking call is counted there.
    uint64_t word = active_.load(std::memory_order_acquire);
    // acquire [inside-1], which also keeps the last load behind it: acquire [active-1].
    return active_in(word) == 1 && blocking_calls.load(std::memory_order_acquire) == 0 &&
           active_.load(std::memory_order_acquire) == word;
}

uint64_t Activity::count_departure() {
    constexpr uint64_t change = one_departure - 1;
    // release [active-1]: the report sees what the last active threads have done. seq_cst
    // [quiet-2]: before a look whether the observer waits for the departure.
    return active_.fetch_add(change, std::memory_order_seq_cst) + change;
}

bool Activity::has_pending() const {
    return pending_timers.load(std::memory_order_acquire) != 0 || // [timer-2]
           blocking_calls.load(std::memory_order_acquire) != 0;   // [inside-1]
}

// Looks in this order: a task becomes active before it is no longer counted as a timer or a
// blocking call.
bool Activity::is_quiet() const {
    // acquire [active-1]: what the last active threads have done.
    return !has_pending() && active(std::memory_order_acquire) == 0;
}

void Activity::sleep_as_watch(int64_t look_every_ns) {
    uint32_t word = watch_word_.load(std::memory_order_acquire); // acquire [watch-2]
    // seq_cst [watch-1]: either the first thread that becomes active sees that the watch sleeps, or
    // the watch sees that it is active. With a seed a call may block a worker that is not active.
    watch_sleeps_.store(true, std::memory_order_seq_cst);
    bool idle = active(std::memory_order_seq_cst) == 0 && // [watch-1]
                !(has_seed() && blocking_calls.load(std::memory_order_relaxed) != 0);
    if (!idle)
        watch_sleeps_.store(false, std::memory_order_relaxed);
    if (!stopping())
        futex_wait(watch_word_, word, idle ? -1 : look_every_ns);
    watch_sleeps_.store(false, std::memory_order_relaxed);
}

void Activity::wake_watch() {
    watch_word_.fetch_add(1, std::memory_order_release); // release [watch-2]
    futex_wake(watch_word_);
}

void Activity::sleep_as_observer(uint32_t seen_news, uint32_t seen_departures, bool quiet_too,
                                 int64_t timeout_ns) {
    // seq_cst [quiet-2]: either the thread that ceases to be active sees that the observer waits,
    // or the observer sees its departure here.
    quiet_is_awaited_.store(quiet_too, std::memory_order_seq_cst);
    if (!quiet_too || departures() == seen_departures)
        futex_wait(news_, seen_news, timeout_ns);
    quiet_is_awaited_.store(false, std::memory_order_relaxed);
}

void Activity::wake_observer() {
    news_.fetch_add(1, std::memory_order_release); // release [quiet-1]
    futex_wake(news_);
}

} // namespace thrum
