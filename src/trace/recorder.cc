#include "trace/recorder.h"

#include "base/check.h"
#include "base/clock.h"

#include <algorithm>
#include <utility>

namespace thrum {

std::atomic<uint64_t> listeners{0};
std::atomic<uint64_t> follow_ups{0};

namespace {

int slot_of(const PerformanceVariable &variable) {
    int slot = performance_variables().index_of(variable);
    CHECK(slot < Counts::variables_max, "variable %s is number %d", variable.name, slot);
    return slot;
}

} // namespace

Recorder::~Recorder() {
    while (Counts *counts = communicators_) {
        communicators_ = counts->next;
        delete counts;
    }
    delete[] queue_;
}

void Recorder::count(const PerformanceVariable &variable, uint64_t by) {
    LockGuard guard(lock_);
    rank_.values[slot_of(variable)] += by;
}

void Recorder::count_in(uint32_t context, const PerformanceVariable &variable, uint64_t by) {
    LockGuard guard(lock_);
    rank_.values[slot_of(variable)] += by;
    for (Counts *counts = communicators_; counts; counts = counts->next)
        if (counts->context == context)
            counts->values[slot_of(variable)] += by;
}

void Recorder::raise_watermark(const PerformanceVariable &variable, uint64_t level) {
    LockGuard guard(lock_);
    uint64_t &mark = rank_.values[slot_of(variable)];
    mark = std::max(mark, level);
}

void Recorder::note(const EventType &type, uint32_t context, int64_t a, int64_t b, int64_t c,
                    int64_t d) {
    const int index = event_types().index_of(type);
    CHECK(index < event_types_max);
    LockGuard guard(lock_);
    if (interest_[index] == 0)
        return;
    news_.store(true, std::memory_order_relaxed);
    if (!queue_)
        queue_ = new EventRecord[queue_length_max];
    if (length_ == queue_length_max) {
        ++dropped_[index];
        lost_ = true;
        return;
    }
    // The time is taken under the lock, so that a rank's events are in the order of their times.
    queue_[(oldest_ + length_++) % queue_length_max] = {
        &type, now_ns(), context, {a, b, c, d}, std::exchange(lost_, false)};
}

uint64_t Recorder::value(const PerformanceVariable &variable, const Counts *counts) {
    LockGuard guard(lock_);
    return (counts ? counts : &rank_)->values[slot_of(variable)];
}

uint64_t Recorder::lower_watermark(const PerformanceVariable &variable) {
    LockGuard guard(lock_);
    return std::exchange(rank_.values[slot_of(variable)], 0);
}

Counts &Recorder::take_counts(uint32_t context) {
    auto *made = new Counts;
    made->context = context;
    LockGuard guard(lock_);
    for (Counts *counts = communicators_; counts; counts = counts->next)
        if (counts->context == context) {
            ++counts->users;
            delete made;
            return *counts;
        }
    made->users = 1;
    made->next = communicators_;
    communicators_ = made;
    return *made;
}

void Recorder::drop_counts(Counts &counts) {
    {
        LockGuard guard(lock_);
        if (--counts.users > 0)
            return;
        Counts **link = &communicators_;
        while (*link != &counts)
            link = &(*link)->next;
        *link = counts.next;
    }
    delete &counts;
}

void Recorder::change_interest(const EventType &type, int by) {
    LockGuard guard(lock_);
    interest_[event_types().index_of(type)] += by;
}

bool Recorder::next_event(EventRecord &event) {
    LockGuard guard(lock_);
    if (length_ == 0) {
        news_.store(false, std::memory_order_relaxed);
        return false;
    }
    event = queue_[oldest_];
    oldest_ = (oldest_ + 1) % queue_length_max;
    --length_;
    return true;
}

uint64_t Recorder::take_dropped(const EventType &type) {
    LockGuard guard(lock_);
    return std::exchange(dropped_[event_types().index_of(type)], 0);
}

} // namespace thrum
