// Perfetto's packets: track descriptors, and track events whose names are interned. Field numbers
// are those of protos/perfetto/trace.
#include "formats.h"
#include "observation/trace_walk.h"
#include "output_file.h"
#include "protobuf.h"
#include "trace_names.h"

#include <set>
#include <utility>

namespace trace {
namespace {

using observation::CallSpan;
using observation::MessageEnd;
using observation::WaitSpan;

namespace packet_field {
enum : uint32_t {
    packet = 1, // of Trace
    timestamp = 8,
    sequence = 10,
    track_event = 11,
    interned_data = 12,
    sequence_flags = 13,
    track_descriptor = 60
};
}

namespace event_field {
enum : uint32_t {
    category = 3,
    annotation = 4,
    type = 9,
    name = 10,
    track = 11,
    counter_value = 30,
    flow = 47,
    last_flow = 48
};
}

namespace track_field {
enum : uint32_t { uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8 };
}

enum EventType : uint64_t { Begin = 1, End = 2, Instant = 3, Counter = 4 };

constexpr uint64_t sequence_number = 1;
constexpr uint64_t state_cleared = 1, needs_state = 2; // flags of a sequence

// The categories and the names of annotations, by their interned ids.
enum Category : uint64_t { Mpi = 1, Waiting, Receipt, Region, Worker, Control };

constexpr const char *categories[] = {"mpi", "wait", "receipt", "region", "worker", "control"};

enum Note : uint64_t {
    At = 1,
    Dest,
    Tag,
    Bytes,
    SentMessages,
    Source,
    ReceivedTag,
    ReceivedBytes,
    ReceivedMessages,
    Members,
    GroupNumber,
    ForRank,
    ReadyNs
};

constexpr const char *notes[] = {"at",           "dest",           "tag",
                                 "bytes",        "sent_messages",  "source",
                                 "received_tag", "received_bytes", "received_messages",
                                 "members",      "group",          "for_rank",
                                 "ready_ns"};

// The interned ids of names that every trace has; those of sites, regions and ranks follow.
enum Name : uint64_t {
    WaitName = 1,
    ReceivedName,
    PausedName,
    ContinuesName,
    UnknownCall,
    UnknownRegion,
    FirstFreeName
};

constexpr const char *names[] = {"waiting",         "received", "trace paused",
                                 "trace continues", "MPI",      "region"};

class PerfettoWriter : public observation::TraceListener {
public:
    PerfettoWriter(const EventReader &events, const std::string &path);

    void finish() { file_.finish(); }

    void call(const CallSpan &call) override;
    void open_call(const CallSpan &call) override;
    void received(const TracedRank &rank, const MessageEnd &end) override;
    void region_begin(const TracedRank &rank, int thread, int64_t ns, int name) override;
    void region_end(const TracedRank &rank, int thread, int64_t ns) override;
    void queue(const TracedRank &rank, int64_t ns, uint32_t length) override;
    void ran(const TracedRank &rank, uint32_t worker, int64_t begin, int64_t end) override;
    void paused(const TracedRank &rank, int64_t ns, bool is_paused) override;

private:
    void intern_names();
    void intern(const Message &data, uint64_t flags);
    void describe(const Message &track);
    void write_processes();
    void write(const Message &packet);
    // Begins event_; write_event() ends it.
    void begin_event(EventType type, uint64_t track, uint64_t category = 0, uint64_t name = 0);
    void write_event(int64_t ns);

    void note(Note name, uint64_t value) {
        Message annotation;
        annotation.add(1, name);
        annotation.add_signed(4, static_cast<int64_t>(value));
        event_.add(event_field::annotation, annotation);
    }

    void note(Note name, std::string_view text) {
        Message annotation;
        annotation.add(1, name);
        annotation.add(6, text);
        event_.add(event_field::annotation, annotation);
    }

    uint64_t track(const TracedRank &rank, int thread);
    uint64_t named_track(const TracedRank &rank, int number, const std::string &name);
    uint64_t counter_track(const TracedRank &rank);
    void begin_call(const CallSpan &call, uint64_t track);

    uint64_t name_of_rank(const TracedRank &rank) const {
        return first_rank_name_ + static_cast<uint64_t>(rank.rank);
    }

    const EventReader &events_;
    OutputFile file_;
    Message packet_, event_;
    Tracks tracks_;
    std::vector<std::string> places_;
    std::set<uint64_t> described_; // tracks
    uint64_t first_region_name_ = 0, first_rank_name_ = 0;
    std::set<int> named_ranks_; // whose names as slices of workers are interned
};

// Uuids: the process in the upper half, the thread in the lower one. Counters have a bit of their
// own.
constexpr uint64_t counter_bit = uint64_t{1} << 63;

uint64_t uuid_of_process(int pid) {
    return uint64_t{static_cast<uint32_t>(pid)} << 32;
}

PerfettoWriter::PerfettoWriter(const EventReader &events, const std::string &path)
    : events_(events), file_(path) {
    for (const Site &site : events.sites())
        places_.push_back(place_of(site));
    intern_names();
    write_processes();
}

void PerfettoWriter::write(const Message &packet) {
    Message trace;
    trace.add(packet_field::packet, packet);
    file_.add(trace.bytes());
}

void PerfettoWriter::intern(const Message &data, uint64_t flags) {
    Message packet;
    packet.add(packet_field::sequence, sequence_number);
    packet.add(packet_field::sequence_flags, flags);
    packet.add(packet_field::interned_data, data);
    write(packet);
}

void PerfettoWriter::describe(const Message &track) {
    Message packet;
    packet.add(packet_field::sequence, sequence_number);
    packet.add(packet_field::track_descriptor, track);
    write(packet);
}

void PerfettoWriter::intern_names() {
    Message data;
    const auto add = [&](uint32_t field, uint64_t id, std::string_view name) {
        Message entry;
        entry.add(1, id);
        entry.add(2, name);
        data.add(field, entry);
    };
    constexpr uint32_t category_field = 1, name_field = 2, annotation_field = 3;
    for (uint64_t i = 0; i < std::size(categories); ++i)
        add(category_field, i + 1, categories[i]);
    for (uint64_t i = 0; i < std::size(notes); ++i)
        add(annotation_field, i + 1, notes[i]);
    for (uint64_t i = 0; i < std::size(names); ++i)
        add(name_field, i + 1, names[i]);
    uint64_t id = FirstFreeName;
    for (const Site &site : events_.sites())
        add(name_field, id++, site.function.empty() ? "MPI" : site.function);
    first_region_name_ = id;
    for (const std::string &name : events_.names())
        add(name_field, id++, name);
    first_rank_name_ = id;
    intern(data, state_cleared | needs_state);
}

void PerfettoWriter::write_processes() {
    for (const auto &source : events_.sources()) {
        Message process, descriptor;
        process.add_signed(1, source->pid);
        process.add(6, name_of_process(events_, *source));
        descriptor.add(track_field::uuid, uuid_of_process(source->pid));
        descriptor.add(track_field::process, process);
        describe(descriptor);
    }
}

void PerfettoWriter::begin_event(EventType type, uint64_t track, uint64_t category, uint64_t name) {
    event_.clear();
    event_.add(event_field::type, type);
    event_.add(event_field::track, track);
    if (category)
        event_.add(event_field::category, category);
    if (name)
        event_.add(event_field::name, name);
}

void PerfettoWriter::write_event(int64_t ns) {
    packet_.clear();
    packet_.add(packet_field::timestamp, static_cast<uint64_t>(ns));
    packet_.add(packet_field::sequence, sequence_number);
    packet_.add(packet_field::sequence_flags, needs_state);
    packet_.add(packet_field::track_event, event_);
    write(packet_);
}

// Describes the track when it is first used.
uint64_t PerfettoWriter::named_track(const TracedRank &rank, int number, const std::string &name) {
    const int pid = rank.source->pid;
    const uint64_t uuid = uuid_of_process(pid) | static_cast<uint32_t>(number);
    if (!described_.insert(uuid).second)
        return uuid;
    Message thread, descriptor;
    thread.add_signed(1, pid);
    thread.add_signed(2, number);
    thread.add(5, name);
    descriptor.add(track_field::uuid, uuid);
    descriptor.add(track_field::parent, uuid_of_process(pid));
    descriptor.add(track_field::thread, thread);
    describe(descriptor);
    return uuid;
}

uint64_t PerfettoWriter::track(const TracedRank &rank, int thread) {
    const int number = tracks_.of_thread(rank, thread);
    const uint64_t uuid = uuid_of_process(rank.source->pid) | static_cast<uint32_t>(number);
    return described_.contains(uuid) ? uuid
                                     : named_track(rank, number, name_of_track(rank, thread));
}

uint64_t PerfettoWriter::counter_track(const TracedRank &rank) {
    const uint64_t parent = track(rank, 1), uuid = parent | counter_bit;
    if (!described_.insert(uuid).second)
        return uuid;
    Message descriptor;
    descriptor.add(track_field::uuid, uuid);
    descriptor.add(track_field::parent, parent);
    descriptor.add(track_field::name, "unexpected messages");
    descriptor.add(track_field::counter, Message());
    describe(descriptor);
    return uuid;
}

void PerfettoWriter::begin_call(const CallSpan &call, uint64_t track) {
    const auto site = static_cast<uint64_t>(call.site);
    begin_event(Begin, track, Mpi, call.site < 0 ? UnknownCall : FirstFreeName + site);
    if (call.site >= 0)
        note(At, places_[site]);
    const auto messages = [&](const std::vector<MessageEnd> &ends, Note peer, Note tag, Note count,
                              Note bytes, uint32_t flow) {
        uint64_t size_bytes = 0;
        for (const MessageEnd &end : ends) {
            size_bytes += end.size_bytes;
            if (flow)
                event_.add_fixed(flow, end.id);
        }
        if (ends.size() == 1) {
            note(peer, static_cast<uint64_t>(ends[0].peer));
            note(tag, static_cast<uint64_t>(static_cast<int64_t>(ends[0].tag)));
        } else if (!ends.empty()) {
            note(count, ends.size());
        }
        if (!ends.empty())
            note(bytes, size_bytes);
    };
    messages(call.sent, Dest, Tag, SentMessages, Bytes, event_field::flow);
    messages(call.received, Source, ReceivedTag, ReceivedMessages, ReceivedBytes, 0);
    if (call.group) {
        note(Members, call.members);
        note(GroupNumber, call.group);
    }
    write_event(call.begin_ns);
    for (const WaitSpan &wait : call.waits) {
        begin_event(Begin, track, Waiting, WaitName);
        if (wait.cause_rank >= 0) {
            note(ForRank, static_cast<uint64_t>(wait.cause_rank));
            note(ReadyNs, static_cast<uint64_t>(wait.end_ns - wait.ready_ns));
        }
        write_event(wait.begin_ns);
        begin_event(End, track);
        write_event(wait.end_ns);
    }
    // Perfetto joins the ends of a flow in the order of time, and this call may have begun before
    // the message was sent: its receipt is an event of its own.
    for (const MessageEnd &end : call.received) {
        begin_event(Instant, track, Receipt, ReceivedName);
        event_.add_fixed(event_field::last_flow, end.id);
        write_event(end.ns);
    }
}

void PerfettoWriter::call(const CallSpan &call) {
    const uint64_t of_rank = track(*call.rank, call.thread);
    begin_call(call, of_rank);
    begin_event(End, of_rank);
    write_event(call.end_ns);
}

void PerfettoWriter::open_call(const CallSpan &call) {
    begin_call(call, track(*call.rank, call.thread));
}

void PerfettoWriter::received(const TracedRank &rank, const MessageEnd &end) {
    begin_event(Instant, track(rank, 1), Receipt, ReceivedName);
    event_.add_fixed(event_field::last_flow, end.id);
    note(Source, static_cast<uint64_t>(end.peer));
    note(ReceivedTag, static_cast<uint64_t>(static_cast<int64_t>(end.tag)));
    note(ReceivedBytes, end.size_bytes);
    write_event(end.ns);
}

void PerfettoWriter::region_begin(const TracedRank &rank, int thread, int64_t ns, int name) {
    begin_event(Begin, track(rank, thread), Region,
                name < 0 ? UnknownRegion : first_region_name_ + static_cast<uint64_t>(name));
    write_event(ns);
}

void PerfettoWriter::region_end(const TracedRank &rank, int thread, int64_t ns) {
    begin_event(End, track(rank, thread));
    write_event(ns);
}

void PerfettoWriter::queue(const TracedRank &rank, int64_t ns, uint32_t length) {
    begin_event(Counter, counter_track(rank));
    event_.add(event_field::counter_value, length);
    write_event(ns);
}

void PerfettoWriter::ran(const TracedRank &rank, uint32_t worker, int64_t begin_ns,
                         int64_t end_ns) {
    const uint64_t of_worker =
        named_track(rank, Tracks::of_worker(worker), fmt::format("worker {}", worker));
    if (named_ranks_.insert(rank.rank).second) {
        Message entry, data;
        entry.add(1, name_of_rank(rank));
        entry.add(2, name_of_track(rank, 1));
        data.add(2, entry);
        intern(data, needs_state);
    }
    begin_event(Begin, of_worker, Worker, name_of_rank(rank));
    write_event(begin_ns);
    begin_event(End, of_worker);
    write_event(end_ns);
}

void PerfettoWriter::paused(const TracedRank &rank, int64_t ns, bool is_paused) {
    begin_event(Instant, track(rank, 1), Control, is_paused ? PausedName : ContinuesName);
    write_event(ns);
}

} // namespace

void write_perfetto(const EventReader &events, const std::string &path) {
    PerfettoWriter writer(events, path);
    walk(events, writer);
    writer.finish();
}

} // namespace trace
