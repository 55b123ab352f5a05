// Recorder: the counts and events of one rank that tools ask for. A rank has none until a tool asks
// for one, and nothing is counted until then. Code that could count first calls somebody_listens(),
// which loads a word that is written only when tools start or stop listening.
//
//   if (somebody_listens()) [[unlikely]]
//       count_delivery(...);        // out of line: finds the ranks' recorders
//
// Counts never decrease: a tool that needs the count since some moment takes a difference.
#pragma once
#include "base/spinlock.h"
#include "trace/variables.h"

#include <atomic>
#include <cstdint>

namespace thrum {

// Number of reasons for which messages are recorded: each handle of a counted performance variable
// is one, each registration of an event (mpi/tool*.cc), and each check of messages (check/).
// Hidden: the message path reads it.
[[gnu::visibility("hidden")]] extern std::atomic<uint64_t> listeners;
// Number of reasons for which a rank has more to do at the end of an MPI call: each registration of
// an event is one, a seed (fiber/choice.h), and that causality is tracked (check/causality.h).
[[gnu::visibility("hidden")]] extern std::atomic<uint64_t> follow_ups; // read by each call

inline bool somebody_listens() {
    // relaxed: a tool that begins to listen still sees everything that other synchronisation orders
    // after that.
    return listeners.load(std::memory_order_relaxed) != 0;
}

inline bool has_follow_ups() {
    return follow_ups.load(std::memory_order_relaxed) != 0; // relaxed: as in somebody_listens()
}

// The counts of one rank, or of one of its communicators.
struct Counts {
    static constexpr int variables_max = 64;
    uint64_t values[variables_max] = {}; // indexed by variable
    uint32_t context = 0;                // of the communicator that they belong to
    int users = 0;                       // number of handles bound to it
    Counts *next = nullptr;              // counts of the rank's next communicator
};

// One occurrence of an event, kept until the rank's next MPI call has passed it to its tools.
struct EventRecord {
    const EventType *type;
    int64_t time_ns;
    uint32_t context; // of its communicator, if it has one
    int64_t elements[EventType::elements_max];
    bool after_loss; // earlier events were dropped before this one
};

class Recorder {
public:
    Recorder() = default;
    ~Recorder();
    Recorder(const Recorder &) = delete;
    Recorder &operator=(const Recorder &) = delete;

    // Counts for this rank. Any rank may call it.
    void count(const PerformanceVariable &variable, uint64_t by = 1);
    // Counts for this rank and for its communicator with this context id.
    void count_in(uint32_t context, const PerformanceVariable &variable, uint64_t by = 1);
    // Sets the high-water mark to `level`, if that is higher.
    void raise_watermark(const PerformanceVariable &variable, uint64_t level);
    // Records an event, or drops it if too many are queued.
    void note(const EventType &type, uint32_t context, int64_t a = 0, int64_t b = 0, int64_t c = 0,
              int64_t d = 0);

    // Returns the value of a variable, for tools.
    uint64_t value(const PerformanceVariable &variable, const Counts *counts = nullptr);
    // Resets the watermark to 0 and returns its old value.
    uint64_t lower_watermark(const PerformanceVariable &variable);
    // Returns the counts of a communicator; each call needs a matching drop_counts().
    Counts &take_counts(uint32_t context);
    void drop_counts(Counts &counts);
    // Changes the number of registrations for events of this type.
    void change_interest(const EventType &type, int by);
    // Takes the oldest event that has not been delivered; false if there is none.
    bool next_event(EventRecord &event);
    // Returns how many events of this type were dropped since the last call.
    uint64_t take_dropped(const EventType &type);

    // Returns whether an event is queued, or was dropped.
    bool has_news() const { return news_.load(std::memory_order_relaxed); }

private:
    static constexpr size_t queue_length_max = 1024;
    static constexpr int event_types_max = 16;
    SpinLock lock_; // guards everything below
    Counts rank_;
    Counts *communicators_ = nullptr; // a list, by Counts::next
    int interest_[event_types_max] = {};
    uint64_t dropped_[event_types_max] = {};
    EventRecord *queue_ = nullptr; // a ring; allocated with the first event
    size_t oldest_ = 0;
    size_t length_ = 0;
    bool lost_ = false; // an event was dropped after the newest queued one
    std::atomic<bool> news_{false};
};

} // namespace thrum
