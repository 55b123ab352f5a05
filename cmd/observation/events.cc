#include "events.h"

#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <stdexcept>

namespace observation {

using observe::Chunk;
using observe::Event;
using observe::EventFile;

// Returns how many events of the chunk can be read.
static uint32_t complete_events(const Chunk &chunk) {
    // acquire [events-1]: the events are complete.
    return std::min(chunk.used.load(std::memory_order_acquire), Chunk::events_max);
}

EventSource::EventSource(const std::string &path)
    : observation(path), events(path + ".events", sizeof(EventFile)) {}

const EventFile *EventSource::file() const {
    const auto *file = events.head<EventFile>();
    // acquire [events-2]: the header is complete.
    if (!file || file->magic.load(std::memory_order_acquire) != EventFile::magic_number)
        return nullptr;
    const auto streams_bytes = static_cast<size_t>(file->rank_count) * sizeof(observe::EventStream);
    return events.at<char>(sizeof(EventFile), streams_bytes) ? file : nullptr;
}

const Chunk *EventSource::chunk(uint32_t index) const {
    return events.at<Chunk>(file()->head_bytes + uint64_t{index} * Chunk::size_bytes);
}

const observe::RankRecord &TracedRank::record() const {
    const observe::Observation &o = source->observation.observation();
    const auto count = static_cast<size_t>(o.rank_count);
    return source->observation.at<observe::RankRecord>(o.ranks, count)[rank - o.first_rank];
}

// Another process may use the same function and line under another number.
void EventReader::add_sites(EventSource &source, const std::string &symbolizer) {
    std::map<Site, int> numbers;
    for (size_t i = 0; i < sites_.size(); ++i)
        numbers[sites_[i]] = static_cast<int>(i);
    for (const auto &[place, site] : read_sites(source.observation, symbolizer)) {
        const auto [found, is_new] = numbers.try_emplace(site, static_cast<int>(sites_.size()));
        if (is_new)
            sites_.push_back(site);
        if (place >= source.sites.size())
            source.sites.resize(place + 1, no_site);
        source.sites[place] = found->second;
    }
}

void EventReader::add_names(EventSource &source) {
    for (const std::string &name : source.names) {
        const auto found = std::ranges::find(names_, name);
        source.name_numbers.push_back(static_cast<int>(found - names_.begin()));
        if (found == names_.end())
            names_.push_back(name);
    }
}

// Sorts the chunks of the process by ranks and time.
void EventReader::add_ranks(const EventSource &source) {
    const EventFile &file = *source.file();
    const size_t first = ranks_.size();
    for (int i = 0; i < file.rank_count; ++i) {
        ranks_.push_back({file.first_rank + i, &source, &file.streams[i], {}});
        left_out_ += value(file.streams[i].left_out);
    }
    const uint32_t claimed = file.claimed.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < std::min(claimed, file.chunks_max); ++i) {
        const Chunk *chunk = source.chunk(i);
        if (!chunk)
            break; // the file was shorter
        const int index = chunk->rank - file.first_rank;
        if (chunk->number && index >= 0 && index < file.rank_count)
            ranks_[first + static_cast<size_t>(index)].chunks.push_back(chunk);
    }
    for (size_t i = first; i < ranks_.size(); ++i)
        std::ranges::sort(ranks_[i].chunks, {}, &Chunk::number);
}

// All processes are on one machine and read the same time stamp counters. So one conversion serves
// all, which keeps the order of events: the one of the longest run, whose moments are farthest
// apart.
void EventReader::choose_clock() {
    const EventSource *longest = nullptr;
    const auto span_of = [](const EventSource &source) {
        const observe::Observation &o = source.observation.observation();
        return value(o.recent_ticks) - o.begin_ticks;
    };
    for (const auto &source : sources_)
        if (!longest || span_of(*source) > span_of(*longest))
            longest = source.get();
    ns_per_tick_ = Clock(longest->observation.observation()).seconds(1) * 1e9;
    first_ticks_ = ~uint64_t{0};
    for (const TracedRank &rank : ranks_) {
        if (value(rank.record().current_place))
            first_ticks_ = std::min(first_ticks_, value(rank.record().current_begin_ticks));
        for (const Chunk *chunk : rank.chunks) {
            const uint32_t used = complete_events(*chunk);
            events_ += used;
            for (uint32_t i = 0; i < used; ++i) {
                const Event &event = chunk->events[i];
                const bool has_begin = event.kind == Event::Call || event.kind == Event::Wait;
                calls_and_messages_ += event.kind == Event::Call || event.kind == Event::Sent;
                first_ticks_ = std::min(first_ticks_, has_begin ? event.b : event.ticks);
            }
        }
    }
    const observe::Observation &o = longest->observation.observation();
    if (events_ == 0)
        first_ticks_ = std::min(first_ticks_, o.begin_ticks);
    first_realtime_ns_ =
        o.begin_realtime_ns +
        static_cast<int64_t>(
            ns_per_tick_ * static_cast<double>(static_cast<int64_t>(first_ticks_ - o.begin_ticks)));
}

static std::vector<std::string> names_in(const EventSource &source) {
    const EventFile &file = *source.file();
    std::vector<const Chunk *> chunks;
    const uint32_t claimed = file.claimed.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < std::min(claimed, file.chunks_max); ++i)
        if (const Chunk *chunk = source.chunk(i); chunk && chunk->rank == Chunk::names)
            chunks.push_back(chunk);
    std::ranges::sort(chunks, {}, &Chunk::number);
    std::vector<std::string> names;
    for (const Chunk *chunk : chunks) {
        const auto *text = reinterpret_cast<const char *>(chunk->events);
        // acquire [events-1]: the names are complete.
        const auto used =
            std::min<size_t>(chunk->used.load(std::memory_order_acquire), sizeof chunk->events);
        for (size_t begin = 0; begin < used; begin += names.back().size() + 1)
            names.emplace_back(text + begin, ::strnlen(text + begin, used - begin));
    }
    return names;
}

EventReader::EventReader(const std::string &directory, const std::string &symbolizer) {
    std::vector<std::string> paths;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
        if (std::string path = entry.path().string(); path.ends_with(".events"))
            paths.push_back(path.substr(0, path.rfind('.')));
    std::ranges::sort(paths);
    for (const std::string &path : paths) {
        auto source = std::make_unique<EventSource>(path);
        if (!source->observation.is_valid() || !source->file())
            continue;
        source->names = names_in(*source);
        add_sites(*source, symbolizer);
        add_names(*source);
        add_ranks(*source);
        const EventFile &file = *source->file();
        is_ring_ = is_ring_ || file.ring_chunks != 0;
        disk_was_full_ = disk_was_full_ || value(file.disk_is_full) != 0;
        const uint64_t full = file.ring_chunks ? 0 : value(file.full_ticks);
        if (full && (!full_ticks_ || full < full_ticks_))
            full_ticks_ = full;
        sources_.push_back(std::move(source));
    }
    if (sources_.empty())
        throw std::runtime_error("no rank of the job has come to use MPI");
    std::ranges::stable_sort(ranks_, {}, &TracedRank::rank);
    choose_clock();
}

bool EventReader::step(Cursor &cursor) const {
    const TracedRank &rank = ranks_[cursor.rank];
    if (cursor.now)
        ++cursor.event;
    for (; cursor.chunk < rank.chunks.size(); ++cursor.chunk, cursor.event = 0) {
        const Chunk &chunk = *rank.chunks[cursor.chunk];
        if (cursor.event < complete_events(chunk)) {
            cursor.now = &chunk.events[cursor.event];
            return true;
        }
    }
    return false;
}

} // namespace observation
