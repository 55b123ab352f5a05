// The events of a job (src/observe/events.h): read from the files of its processes, in the order of
// time, with the names of places. Only a few events are in memory at one time.
#pragma once
#include "clock_alignment.h"
#include "mapping.h"
#include "observe/events.h"
#include "places.h"
#include "ranks.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace observation {

// Converts the ticks of a machine to those of the machine whose clock all events have.
struct TickScale {
    double ratio = 1;
    uint64_t from = 0, to = 0; // the same moment in both

    bool is_identity() const { return ratio == 1 && from == to; }

    uint64_t duration(uint64_t ticks) const {
        return static_cast<uint64_t>(ratio * static_cast<double>(ticks));
    }

    uint64_t moment(uint64_t ticks) const {
        return is_identity()
                   ? ticks
                   : to + static_cast<uint64_t>(static_cast<int64_t>(
                              ratio * static_cast<double>(static_cast<int64_t>(ticks - from))));
    }
};

// The events of one process.
struct EventSource {
    explicit EventSource(const std::string &path); // of its observation

    int pid = 0;        // that of the system, unless another process of the job has the same
    size_t machine = 0; // in EventReader::hosts()
    TickScale scale;    // of that machine
    Mapping observation, events;
    std::vector<int> sites;         // in EventReader::sites(), by number of the place
    std::vector<std::string> names; // of regions, by number - 1
    std::vector<int> name_numbers;  // in EventReader::names(), by number - 1

    // nullptr: the process has noted none.
    const observe::EventFile *file() const;
    const observe::Chunk *chunk(uint32_t index) const;

    int site_of(uint32_t place) const { return place < sites.size() ? sites[place] : no_site; }

    // Returns the event with the ticks that all events have.
    observe::Event scaled(const observe::Event &event) const;
};

// A rank that has noted events.
struct TracedRank {
    int rank; // in RankNumbers
    int world_rank;
    const EventSource *source;
    const observe::RankRecord *record; // nullptr: it has ended before its first call
    const observe::EventStream *stream;
    std::vector<const observe::Chunk *> chunks; // in the order of time

    // Returns when the call that it is in has begun; 0: it is in none.
    uint64_t open_ticks() const;
};

class EventReader {
public:
    // Opens the files in the directory. `symbolizer` is the program that names places. Throws
    // std::runtime_error if there are no events.
    EventReader(const std::string &directory, const std::string &symbolizer);

    const std::vector<TracedRank> &ranks() const { return ranks_; } // in the order of their numbers

    const std::vector<Site> &sites() const { return sites_; }

    const std::vector<std::string> &names() const { return names_; } // of regions

    const std::vector<std::unique_ptr<EventSource>> &sources() const { return sources_; }

    // Calls visit(index in ranks(), event) for all events of the ranks with indexes from `first` to
    // before `last`, in the order of time, with ticks of one clock. Events of one rank keep their
    // order.
    template <class Visit>
    void for_each(size_t first, size_t last, Visit visit) const;

    // Returns the number of a rank; no_rank: it is unknown.
    int number_of(int world_rank) const { return numbers_.of(world_rank); }

    // Returns a moment in nanoseconds since the first event of all, or the start of an open call
    // before that.
    int64_t ns(uint64_t ticks) const {
        return static_cast<int64_t>(
            ns_per_tick_ * static_cast<double>(static_cast<int64_t>(ticks - first_ticks_)) + 0.5);
    }

    // The first event in CLOCK_REALTIME.
    int64_t first_realtime_ns() const { return first_realtime_ns_; }

    uint64_t events() const { return events_; } // that are kept

    uint64_t calls_and_messages() const { return calls_and_messages_; } // among them

    uint64_t left_out() const { return left_out_; } // that are not

    // The hosts of the job, in the order of EventSource::machine.
    const std::vector<std::string> &hosts() const { return hosts_; }

    // How the clocks of the hosts were aligned.
    const Alignment &alignment() const { return alignment_; }

    bool is_ring() const { return is_ring_; }

    bool disk_was_full() const { return disk_was_full_; }

    // When the first event found no room, in ns; -1: there always was.
    int64_t full_ns() const { return full_ticks_ ? ns(full_ticks_) : -1; }

private:
    struct Cursor {
        uint32_t rank, chunk, event; // indexes
        bool has_begun;
        observe::Event now;
    };

    // Moves to the next event. Returns false at the end.
    bool step(Cursor &cursor) const;
    void add_sites(EventSource &source, const std::string &symbolizer);
    void add_names(EventSource &source);
    void add_ranks(const EventSource &source);
    void number_processes();
    void align_machines();
    LeastDelays least_delays() const;
    void find_begin_and_end();

    std::vector<std::unique_ptr<EventSource>> sources_;
    RankNumbers numbers_;
    std::vector<TracedRank> ranks_;
    std::vector<Site> sites_;
    std::vector<std::string> names_;
    std::vector<std::string> hosts_;
    Alignment alignment_;
    double ns_per_tick_ = 0;
    uint64_t first_ticks_ = 0, full_ticks_ = 0, events_ = 0, left_out_ = 0;
    uint64_t calls_and_messages_ = 0;
    int64_t first_realtime_ns_ = 0;
    bool is_ring_ = false, disk_was_full_ = false;
};

template <class Visit>
void EventReader::for_each(size_t first, size_t last, Visit visit) const {
    const auto later = [](const Cursor &a, const Cursor &b) {
        return a.now.ticks != b.now.ticks ? a.now.ticks > b.now.ticks : a.rank > b.rank;
    };
    std::vector<Cursor> heap; // the rank with the earliest event is on top
    for (auto i = static_cast<uint32_t>(first); i < last; ++i)
        if (Cursor cursor{i, 0, 0, false, {}}; step(cursor))
            heap.push_back(cursor);
    std::ranges::make_heap(heap, later);
    while (!heap.empty()) {
        std::ranges::pop_heap(heap, later);
        Cursor &cursor = heap.back();
        bool has_more;
        do { // as long as it stays the earliest
            visit(cursor.rank, cursor.now);
            has_more = step(cursor);
        } while (has_more && (heap.size() == 1 || later(heap.front(), cursor)));
        if (has_more)
            std::ranges::push_heap(heap, later);
        else
            heap.pop_back();
    }
}

} // namespace observation
