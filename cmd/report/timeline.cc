#include "timeline.h"

#include "observation/trace_walk.h"
#include "text/json_string.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <unordered_map>
#include <utility>

namespace report {
namespace {

using observation::CallSpan;
using observation::EventReader;
using observation::MessageEnd;
using observation::TracedRank;
using text::json_string;

constexpr size_t ranks_max = 256;
constexpr uint64_t items_max = 20'000; // calls and messages: a page with more is slow

std::string microseconds(int64_t ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

std::string left_out(const std::string &why) {
    return fmt::format(R"({{"left_out":{}}})", json_string(why));
}

// A list of JSON that grows.
struct List {
    std::string text;

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
        text += text.empty() ? "[" : ",[";
        text += fmt::format(format, std::forward<Arguments>(arguments)...);
        text += "]";
    }
};

class Timeline : public observation::TraceListener {
public:
    Timeline(const EventReader &events, const std::vector<observation::Site> &sites) {
        for (const observation::Site &site : events.sites()) {
            const auto found = std::ranges::find(sites, site);
            numbers_.push_back(found == sites.end() ? observation::no_site
                                                    : static_cast<int>(found - sites.begin()));
        }
    }

    void call(const CallSpan &call) override {
        calls_.add("{},{},{},{},{},{}", call.rank->rank, microseconds(call.begin_ns),
                   microseconds(call.end_ns), number_of(call.site), microseconds(call.wait_ns),
                   call.group);
        take_messages(call);
    }

    void open_call(const CallSpan &call) override {
        open_.add("{},{},{}", call.rank->rank, microseconds(call.begin_ns), number_of(call.site));
        take_messages(call);
    }

    void received(const TracedRank &rank, const MessageEnd &end) override {
        take_end(rank.rank, end, false);
    }

    void region_begin(const TracedRank &rank, int thread, int64_t ns, int name) override {
        regions_begun_[{&rank, thread}].push_back({ns, name});
    }

    void region_end(const TracedRank &rank, int thread, int64_t ns) override {
        std::vector<Begun> &begun = regions_begun_[{&rank, thread}];
        const Begun last = begun.back();
        begun.pop_back();
        regions_.add("{},{},{},{}", rank.rank, microseconds(last.ns), microseconds(ns), last.name);
    }

    void end(int64_t last_ns) override {
        for (auto &[of, begun] : regions_begun_)
            while (!begun.empty())
                region_end(*of.first, of.second, last_ns);
    }

    std::string json(const EventReader &events) const {
        std::string names;
        for (const std::string &name : events.names())
            names += (names.empty() ? "" : ",") + json_string(name);
        return fmt::format(R"({{"ranks":{},"calls":[{}],"messages":[{}],"regions":[{}],)"
                           R"("region_names":[{}],"open":[{}]}})",
                           events.ranks().back().rank + 1, calls_.text, messages_.text,
                           regions_.text, names, open_.text);
    }

private:
    struct Begun {
        int64_t ns;
        int name;
    };

    struct FirstEnd {
        int rank;
        int64_t ns;
    };

    int number_of(int site) const { return site < 0 ? site : numbers_[static_cast<size_t>(site)]; }

    void take_messages(const CallSpan &call) {
        for (const MessageEnd &end : call.sent)
            take_end(call.rank->rank, end, true);
        for (const MessageEnd &end : call.received)
            take_end(call.rank->rank, end, false);
    }

    // A message is complete when both ends are known. The receiver's end may come first.
    void take_end(int rank, const MessageEnd &end, bool is_source) {
        const auto [found, is_first] = first_ends_.try_emplace(end.id, FirstEnd{rank, end.ns});
        if (is_first)
            return;
        const FirstEnd own{rank, end.ns}, other = found->second;
        first_ends_.erase(found);
        const FirstEnd &source = is_source ? own : other, &destination = is_source ? other : own;
        messages_.add("{},{},{},{},{},{}", source.rank, microseconds(source.ns), destination.rank,
                      microseconds(destination.ns), end.size_bytes, end.tag);
    }

    std::vector<int> numbers_; // of the report's sites
    List calls_, messages_, regions_, open_;
    std::map<std::pair<const TracedRank *, int>, std::vector<Begun>> regions_begun_; // of threads
    std::unordered_map<uint64_t, FirstEnd> first_ends_;                              // of messages
};

bool has_events(const std::string &directory) {
    return std::ranges::any_of(
        std::filesystem::directory_iterator(directory),
        [](const auto &entry) { return entry.path().extension() == ".events"; });
}

} // namespace

std::string read_timeline(const std::string &directory, const std::string &symbolizer,
                          const std::vector<observation::Site> &sites) {
    if (!has_events(directory))
        return "";
    const EventReader events(directory, symbolizer);
    if (events.ranks().size() > ranks_max)
        return left_out(
            fmt::format("the job has {} ranks; a page shows the timeline of at most {}: "
                        "open the trace in Perfetto",
                        events.ranks().size(), ranks_max));
    if (events.calls_and_messages() > items_max)
        return left_out(
            fmt::format("the job made {} calls and messages; a page shows a timeline of "
                        "at most {}: open the trace in Perfetto",
                        events.calls_and_messages(), items_max));
    Timeline timeline(events, sites);
    walk(events, timeline);
    return timeline.json(events);
}

} // namespace report
