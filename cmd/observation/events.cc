#include "events.h"

#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace observation {

using observe::Chunk;
using observe::Event;
using observe::EventFile;
using observe::EventStream;

namespace {

constexpr int pid_max = 1 << 22; // of Linux

} // namespace

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

Event EventSource::scaled(const Event &event) const {
    if (scale.is_identity())
        return event;
    Event scaled = event;
    scaled.ticks = scale.moment(event.ticks);
    if (event.kind == Event::Call || event.kind == Event::Wait)
        scaled.b = scale.moment(event.b);
    if (event.kind == Event::Call)
        scaled.c = scale.duration(event.c);
    if (event.kind == Event::Wait)
        scaled.a = static_cast<uint32_t>(scale.duration(event.a));
    return scaled;
}

uint64_t TracedRank::open_ticks() const {
    const bool is_open = record && value(record->current_place);
    return is_open ? source->scale.moment(value(record->current_begin_ticks)) : 0;
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

// Calls visit(chunk) for the chunks of a process that are used.
template <class Visit>
static void for_each_chunk(const EventSource &source, Visit visit) {
    const EventFile &file = *source.file();
    const uint32_t claimed = file.claimed.load(std::memory_order_relaxed);
    for (uint32_t i = 0; i < std::min(claimed, file.chunks_max); ++i)
        if (const Chunk *chunk = source.chunk(i); chunk && chunk->number)
            visit(*chunk);
}

static size_t bytes_in(const Chunk &chunk) {
    // acquire [events-1]: what was added is complete.
    return std::min<size_t>(chunk.used.load(std::memory_order_acquire), sizeof chunk.events);
}

// Sorts the chunks of the process by ranks and time.
void EventReader::add_ranks(const EventSource &source) {
    const EventFile &file = *source.file();
    std::map<int, size_t> indexes; // by world rank
    const auto add = [&](int world_rank, const EventStream &stream) {
        indexes[world_rank] = ranks_.size();
        ranks_.push_back({numbers_.of(world_rank), world_rank, &source, nullptr, &stream, {}});
        left_out_ += value(stream.left_out);
    };
    left_out_ += value(file.left_out);
    for (int i = 0; i < file.rank_count; ++i)
        add(file.first_rank + i, file.streams[i]);
    for_each_chunk(source, [&](const Chunk &chunk) {
        const auto *begin = reinterpret_cast<const char *>(chunk.events);
        size_t at = Chunk::streams_offset;
        for (; chunk.rank == Chunk::streams && at < bytes_in(chunk); at += sizeof(EventStream)) {
            const auto &stream = *reinterpret_cast<const EventStream *>(begin + at);
            if (numbers_.of(stream.rank) != no_rank)
                add(stream.rank, stream);
        }
    });
    for_each_chunk(source, [&](const Chunk &chunk) {
        if (const auto found = indexes.find(chunk.rank); found != indexes.end())
            ranks_[found->second].chunks.push_back(&chunk);
    });
    for (const auto &[world_rank, record] : observed_ranks(source.observation))
        if (const auto found = indexes.find(world_rank); found != indexes.end())
            ranks_[found->second].record = record;
    for (const auto &[world_rank, index] : indexes)
        std::ranges::sort(ranks_[index].chunks, {}, &Chunk::number);
}

// Processes on several hosts may have the same pid.
void EventReader::number_processes() {
    std::set<int> used;
    for (const auto &source : sources_) {
        source->pid = source->file()->pid;
        while (!used.insert(source->pid).second)
            source->pid += pid_max;
    }
}

// The processes of a machine read the same time stamp counter. So one conversion serves all of
// them, which keeps the order of events: the one of the longest run, whose moments are farthest
// apart. Those of several machines meet in CLOCK_REALTIME, until their messages tell more.
void EventReader::align_machines() {
    std::vector<const EventSource *> longest; // of each machine
    std::map<uint64_t, size_t> machines;
    const auto span_of = [](const EventSource &source) {
        const observe::Observation &o = source.observation.observation();
        return value(o.recent_ticks) - o.begin_ticks;
    };
    for (const auto &source : sources_) {
        const EventFile &file = *source->file();
        const auto [found, is_new] = machines.try_emplace(file.machine, longest.size());
        source->machine = found->second;
        if (is_new) {
            longest.push_back(source.get());
            hosts_.emplace_back(file.host, ::strnlen(file.host, sizeof file.host));
        } else if (span_of(*source) > span_of(*longest[source->machine])) {
            longest[source->machine] = source.get();
        }
    }
    const observe::Observation &first = longest[0]->observation.observation();
    ns_per_tick_ = Clock(first).seconds(1) * 1e9;
    const auto set_scales = [&] {
        for (const auto &source : sources_) {
            if (source->machine == 0)
                continue;
            const observe::Observation &o = longest[source->machine]->observation.observation();
            const double later_ns =
                static_cast<double>(o.begin_realtime_ns - first.begin_realtime_ns) -
                alignment_.ahead_ns[source->machine];
            source->scale = {.ratio = Clock(o).seconds(1) * 1e9 / ns_per_tick_,
                             .from = o.begin_ticks,
                             .to = first.begin_ticks + static_cast<uint64_t>(static_cast<int64_t>(
                                                           later_ns / ns_per_tick_))};
        }
    };
    alignment_.ahead_ns.resize(hosts_.size());
    if (hosts_.size() == 1)
        return;
    set_scales();
    alignment_ = align_clocks(hosts_.size(), least_delays());
    set_scales();
}

// Looks at each message between two machines when both of its ends are known. Remembers at most
// a million of which one end is missing, which bounds the memory; further ones do not count.
LeastDelays EventReader::least_delays() const {
    struct End {
        size_t machine;
        uint64_t ticks;
        bool is_source;
    };

    constexpr size_t known_max = size_t{1} << 20;
    std::unordered_map<int, size_t> machine_of; // by world rank
    for (const TracedRank &rank : ranks_)
        machine_of[rank.world_rank] = rank.source->machine;
    std::unordered_map<uint64_t, End> known;
    LeastDelays delays;
    for_each(0, ranks_.size(), [&](uint32_t index, const Event &event) {
        const bool is_source = event.kind == Event::Sent;
        if (!is_source && event.kind != Event::Received)
            return;
        const size_t machine = ranks_[index].source->machine;
        const auto peer = machine_of.find(static_cast<int>(event.a));
        if (peer == machine_of.end() || peer->second == machine)
            return;
        const End own{machine, event.ticks, is_source};
        const auto other = known.find(event.b);
        if (other == known.end()) {
            if (known.size() < known_max)
                known[event.b] = own;
            return;
        }
        const auto [source, destination] =
            is_source ? std::pair(own, other->second) : std::pair(other->second, own);
        if (source.is_source && !destination.is_source) {
            const double ns =
                ns_per_tick_ *
                static_cast<double>(static_cast<int64_t>(destination.ticks - source.ticks));
            const auto [least, is_new] =
                delays.try_emplace({source.machine, destination.machine}, ns);
            least->second = std::min(least->second, ns);
        }
        known.erase(other);
    });
    return delays;
}

void EventReader::find_begin_and_end() {
    first_ticks_ = ~uint64_t{0};
    for (const TracedRank &rank : ranks_) {
        if (const uint64_t open = rank.open_ticks())
            first_ticks_ = std::min(first_ticks_, open);
        for (const Chunk *chunk : rank.chunks) {
            const uint32_t used = complete_events(*chunk);
            events_ += used;
            for (uint32_t i = 0; i < used; ++i) {
                const Event event = rank.source->scaled(chunk->events[i]);
                const bool has_begin = event.kind == Event::Call || event.kind == Event::Wait;
                calls_and_messages_ += event.kind == Event::Call || event.kind == Event::Sent;
                first_ticks_ = std::min(first_ticks_, has_begin ? event.b : event.ticks);
            }
        }
    }
    const auto first = std::ranges::find(sources_, size_t{0}, &EventSource::machine);
    const observe::Observation &o = (*first)->observation.observation();
    if (events_ == 0)
        first_ticks_ = std::min(first_ticks_, o.begin_ticks);
    first_realtime_ns_ =
        o.begin_realtime_ns +
        static_cast<int64_t>(
            ns_per_tick_ * static_cast<double>(static_cast<int64_t>(first_ticks_ - o.begin_ticks)));
    for (const auto &source : sources_) {
        const EventFile &file = *source->file();
        const uint64_t full = file.ring_chunks ? 0 : value(file.full_ticks);
        if (full && (!full_ticks_ || source->scale.moment(full) < full_ticks_))
            full_ticks_ = source->scale.moment(full);
    }
}

static std::vector<std::string> names_in(const EventSource &source) {
    std::vector<const Chunk *> chunks;
    for_each_chunk(source, [&](const Chunk &chunk) {
        if (chunk.rank == Chunk::names)
            chunks.push_back(&chunk);
    });
    std::ranges::sort(chunks, {}, &Chunk::number);
    std::vector<std::string> names;
    for (const Chunk *chunk : chunks) {
        const auto *text = reinterpret_cast<const char *>(chunk->events);
        const size_t used = bytes_in(*chunk);
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
    for (const std::string &path : paths)
        if (auto source = std::make_unique<EventSource>(path);
            source->observation.is_valid() && source->file()) {
            numbers_.add(source->observation);
            sources_.push_back(std::move(source));
        }
    if (sources_.empty())
        throw std::runtime_error("no rank of the job has come to use MPI");
    for (const auto &source : sources_) {
        source->names = names_in(*source);
        add_sites(*source, symbolizer);
        add_names(*source);
        add_ranks(*source);
        const EventFile &file = *source->file();
        is_ring_ = is_ring_ || file.ring_chunks != 0;
        disk_was_full_ = disk_was_full_ || value(file.disk_is_full) != 0;
    }
    std::ranges::stable_sort(ranks_, {}, &TracedRank::rank);
    number_processes();
    align_machines();
    find_begin_and_end();
}

bool EventReader::step(Cursor &cursor) const {
    const TracedRank &rank = ranks_[cursor.rank];
    if (std::exchange(cursor.has_begun, true))
        ++cursor.event;
    for (; cursor.chunk < rank.chunks.size(); ++cursor.chunk, cursor.event = 0) {
        const Chunk &chunk = *rank.chunks[cursor.chunk];
        if (cursor.event < complete_events(chunk)) {
            cursor.now = rank.source->scaled(chunk.events[cursor.event]);
            return true;
        }
    }
    return false;
}

} // namespace observation
