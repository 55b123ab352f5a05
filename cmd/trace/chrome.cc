// Chrome's trace event format: {"traceEvents": [...]} with times in microseconds. Complete events
// (ph X) are calls and waits, flows (s, f) are messages.
#include "formats.h"
#include "observation/trace_walk.h"
#include "output_file.h"
#include "text/json_string.h"
#include "trace_names.h"

#include <set>
#include <utility>

namespace trace {
namespace {

using observation::CallSpan;
using observation::MessageEnd;
using observation::WaitSpan;
using text::json_string;

class ChromeWriter : public observation::TraceListener {
public:
    ChromeWriter(const EventReader &events, const std::string &path)
        : events_(events), file_(path) {
        for (const Site &site : events.sites()) {
            names_.push_back(json_string(site.function.empty() ? "MPI" : site.function));
            places_.push_back(json_string(place_of(site)));
        }
        for (const std::string &name : events.names())
            regions_.push_back(json_string(name));
        file_.add("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    }

    void finish();

    void call(const CallSpan &call) override;
    void open_call(const CallSpan &call) override;
    void received(const TracedRank &rank, const MessageEnd &end) override;
    void region_begin(const TracedRank &rank, int thread, int64_t ns, int name) override;
    void region_end(const TracedRank &rank, int thread, int64_t ns) override;
    void queue(const TracedRank &rank, int64_t ns, uint32_t length) override;
    void ran(const TracedRank &rank, uint32_t worker, int64_t begin, int64_t end) override;
    void paused(const TracedRank &rank, int64_t ns, bool is_paused) override;

private:
    // Writes what all events have.
    void begin(const char *phase, const TracedRank &rank, int track, int64_t ns) {
        file_.print("{}\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03}", separator_, phase,
                    rank.source->pid, track, ns / 1000, ns % 1000);
        separator_ = ",";
    }

    // Names the track when it is first used.
    int track(const TracedRank &rank, int thread);
    void arguments(const CallSpan &call);
    void inside(const CallSpan &call, int track);
    void flow(const char *phase, const TracedRank &rank, int track, const MessageEnd &end);

    const EventReader &events_;
    OutputFile file_;
    const char *separator_ = "";
    std::vector<std::string> names_, places_, regions_;
    Tracks tracks_;
    std::set<std::pair<int, int>> named_; // pid, track
};

int ChromeWriter::track(const TracedRank &rank, int thread) {
    const int number = tracks_.of_thread(rank, thread);
    if (named_.insert({rank.source->pid, number}).second) {
        begin("M", rank, number, 0);
        file_.print(",\"name\":\"thread_name\",\"args\":{{\"name\":\"{}\"}}}}",
                    name_of_track(rank, thread));
        begin("M", rank, number, 0);
        file_.print(",\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}}}", number);
    }
    return number;
}

void ChromeWriter::flow(const char *phase, const TracedRank &rank, int track,
                        const MessageEnd &end) {
    begin(phase, rank, track, end.ns);
    file_.print(",\"cat\":\"message\",\"name\":\"message\",\"id\":\"{:#x}\"{}}}", end.id,
                *phase == 'f' ? ",\"bp\":\"e\"" : "");
}

void ChromeWriter::arguments(const CallSpan &call) {
    const char *comma = "";
    const auto add = [&](const char *name, auto value) {
        file_.print("{}\"{}\":{}", std::exchange(comma, ","), name, value);
    };
    if (call.site >= 0)
        add("at", places_[static_cast<size_t>(call.site)]);
    const auto messages = [&](const std::vector<MessageEnd> &ends, const char *peer,
                              const char *count, const char *bytes) {
        if (ends.empty())
            return;
        uint64_t size_bytes = 0;
        for (const MessageEnd &end : ends)
            size_bytes += end.size_bytes;
        if (ends.size() == 1) {
            add(peer, ends[0].peer);
            add(*peer == 'd' ? "tag" : "received_tag", ends[0].tag);
        } else {
            add(count, ends.size());
        }
        add(bytes, size_bytes);
    };
    messages(call.sent, "dest", "sent_messages", "bytes");
    messages(call.received, "source", "received_messages", "received_bytes");
    if (call.group) {
        add("members", call.members);
        add("group", call.group);
    }
}

// Writes waits and messages inside the call.
void ChromeWriter::inside(const CallSpan &call, int track) {
    for (const WaitSpan &wait : call.waits) {
        const int64_t ns = wait.end_ns - wait.begin_ns;
        begin("X", *call.rank, track, wait.begin_ns);
        file_.print(",\"dur\":{}.{:03},\"cat\":\"wait\",\"name\":\"waiting\",\"args\":{{",
                    ns / 1000, ns % 1000);
        if (wait.cause_rank >= 0)
            file_.print("\"for_rank\":{},\"ready_ns\":{}", wait.cause_rank,
                        wait.end_ns - wait.ready_ns);
        file_.add("}}");
    }
    for (const MessageEnd &end : call.sent)
        flow("s", *call.rank, track, end);
    for (const MessageEnd &end : call.received)
        flow("f", *call.rank, track, end);
}

void ChromeWriter::call(const CallSpan &call) {
    const int number = track(*call.rank, call.thread);
    const int64_t ns = call.end_ns - call.begin_ns;
    begin("X", *call.rank, number, call.begin_ns);
    file_.print(",\"dur\":{}.{:03},\"cat\":\"mpi\",\"name\":{},\"args\":{{", ns / 1000, ns % 1000,
                call.site >= 0 ? names_[static_cast<size_t>(call.site)] : "\"MPI\"");
    arguments(call);
    file_.add("}}");
    inside(call, number);
}

void ChromeWriter::open_call(const CallSpan &call) {
    const int number = track(*call.rank, call.thread);
    begin("B", *call.rank, number, call.begin_ns);
    file_.print(",\"cat\":\"mpi\",\"name\":{},\"args\":{{",
                call.site >= 0 ? names_[static_cast<size_t>(call.site)] : "\"MPI\"");
    arguments(call);
    file_.add("}}");
    inside(call, number);
}

// A flow ends in a slice, so the receipt is one of a nanosecond.
void ChromeWriter::received(const TracedRank &rank, const MessageEnd &end) {
    const int number = track(rank, 1);
    begin("X", rank, number, end.ns);
    file_.print(",\"dur\":0.001,\"cat\":\"receipt\",\"name\":\"received\",\"args\":{{\"source\":{},"
                "\"received_tag\":{},\"received_bytes\":{}}}}}",
                end.peer, end.tag, end.size_bytes);
    flow("f", rank, number, end);
}

void ChromeWriter::region_begin(const TracedRank &rank, int thread, int64_t ns, int name) {
    begin("B", rank, track(rank, thread), ns);
    file_.print(",\"cat\":\"region\",\"name\":{}}}",
                name >= 0 ? regions_[static_cast<size_t>(name)] : "\"region\"");
}

void ChromeWriter::region_end(const TracedRank &rank, int thread, int64_t ns) {
    begin("E", rank, track(rank, thread), ns);
    file_.add("}");
}

void ChromeWriter::queue(const TracedRank &rank, int64_t ns, uint32_t length) {
    begin("C", rank, track(rank, 1), ns);
    file_.print(",\"name\":\"unexpected messages of rank {}\",\"args\":{{\"messages\":{}}}}}",
                rank.rank, length);
}

void ChromeWriter::ran(const TracedRank &rank, uint32_t worker, int64_t begin_ns, int64_t end_ns) {
    const int number = Tracks::of_worker(worker);
    if (named_.insert({rank.source->pid, number}).second) {
        begin("M", rank, number, 0);
        file_.print(",\"name\":\"thread_name\",\"args\":{{\"name\":\"worker {}\"}}}}", worker);
    }
    const int64_t ns = end_ns - begin_ns;
    begin("X", rank, number, begin_ns);
    file_.print(",\"dur\":{}.{:03},\"cat\":\"worker\",\"name\":\"rank {}\"}}", ns / 1000, ns % 1000,
                rank.rank);
}

void ChromeWriter::paused(const TracedRank &rank, int64_t ns, bool is_paused) {
    begin("i", rank, track(rank, 1), ns);
    file_.print(",\"s\":\"t\",\"cat\":\"control\",\"name\":\"trace {}\"}}",
                is_paused ? "paused" : "continues");
}

void ChromeWriter::finish() {
    for (const auto &source : events_.sources())
        file_.print("{}\n{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":"
                    "\"{}\"}}}}",
                    std::exchange(separator_, ","), source->pid, name_of_process(events_, *source));
    file_.print("\n],\"otherData\":{{\"producer\":\"thrum\",\"events\":{},\"left_out\":{}}}}}\n",
                events_.events(), events_.left_out());
    file_.finish();
}

} // namespace

void write_chrome(const EventReader &events, const std::string &path) {
    ChromeWriter writer(events, path);
    walk(events, writer);
    writer.finish();
}

} // namespace trace
