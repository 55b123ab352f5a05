// Recorder: what tools count and observe of one rank. A rank has none until a tool asks for one,
// and nobody counts until then: the code that could count asks somebody_listens() first, a load of
// a word that is written only when tools come and go.
//
//   if (somebody_listens()) [[unlikely]]
//       count_delivery(...);        // out of line: looks for the ranks' recorders
//
// Counts never go back: whoever wants to know what happened since some moment takes a difference.
#pragma once
#include "base/spinlock.h"
#include "trace/variables.h"

#include <atomic>
#include <cstdint>

namespace thrum {

// Handles of performance variables that are counted, and (times one_registration) registrations for
// events. Written by mpi/tool*.cc.
extern std::atomic<uint64_t> listeners;
inline constexpr uint64_t one_registration = uint64_t{1} << 32;

inline bool somebody_listens() {
    // relaxed: who starts to listen does not miss what is ordered before by other means.
    return listeners.load(std::memory_order_relaxed) != 0;
}

inline bool somebody_wants_events() {
    return listeners.load(std::memory_order_relaxed) >= one_registration;
}

// The counts of a rank, or of one of its communicators.
struct Counts {
    static constexpr int variables_max = 64;
    uint64_t values[variables_max] = {}; // by index of the variable
    uint32_t context = 0;                // of the communicator
    int users = 0;                       // handles that are bound to it
    Counts *next = nullptr;              // of another communicator of the rank
};

// One occurrence of an event, until the rank's next MPI call has told its tools.
struct EventRecord {
    const EventType *type;
    int64_t time_ns;
    uint32_t context; // of the communicator it belongs to, if any
    int64_t elements[EventType::elements_max];
    bool after_loss; // others were dropped since the one before
};

class Recorder {
public:
    Recorder() = default;
    ~Recorder();
    Recorder(const Recorder &) = delete;
    Recorder &operator=(const Recorder &) = delete;

    // May be called by any rank.
    void count(const PerformanceVariable &variable, uint64_t by = 1);
    // The same for the rank and for its communicator with this context id.
    void count_in(uint32_t context, const PerformanceVariable &variable, uint64_t by = 1);
    void raise_watermark(const PerformanceVariable &variable, uint64_t level);
    // Drops the event if too many wait to be told.
    void note(const EventType &type, uint32_t context, int64_t a = 0, int64_t b = 0, int64_t c = 0,
              int64_t d = 0);

    // For tools.
    uint64_t value(const PerformanceVariable &variable, const Counts *counts = nullptr);
    // Makes the watermark 0 and returns what it was.
    uint64_t lower_watermark(const PerformanceVariable &variable);
    // The counts of a communicator; each call needs a drop_counts().
    Counts &take_counts(uint32_t context);
    void drop_counts(Counts &counts);
    // How many registrations want events of this type.
    void change_interest(const EventType &type, int by);
    // The oldest event that has not been told; false if there is none.
    bool next_event(EventRecord &event);
    // Events of this type that were dropped since the last call.
    uint64_t take_dropped(const EventType &type);

    // Whether an event waits to be told, or was dropped.
    bool has_news() const { return news_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t queue_length_max = 1024;
    static constexpr int event_types_max = 16;
    SpinLock lock_; // guards all that follows
    Counts rank_;
    Counts *communicators_ = nullptr;
    int interest_[event_types_max] = {};
    uint64_t dropped_[event_types_max] = {};
    EventRecord *queue_ = nullptr; // a ring; made with the first event
    size_t oldest_ = 0;
    size_t length_ = 0;
    bool lost_ = false; // an event was dropped after the newest in the queue
    std::atomic<bool> news_{false};
};

} // namespace thrum
