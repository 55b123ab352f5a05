#include "trace_walk.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace observation {
namespace {

using observe::Cause;
using observe::Event;

constexpr uint32_t no_worker = ~uint32_t{0};

// What is known of a thread since its last call.
struct Thread {
    std::vector<WaitSpan> waits;
    std::vector<MessageEnd> sent;
    uint64_t group = 0;
    uint32_t members = 0, context = 0;
    bool spans = false;
    int root = -1, comm_rank = -1;
    int open_regions = 0;
};

struct RankState {
    std::vector<Thread> threads;
    std::vector<MessageEnd> received; // since the last call of any thread
    uint32_t worker = no_worker;
    int64_t runs_since_ns = -1;                        // -1: it does not run
    std::unordered_map<uint32_t, uint64_t> operations; // on communicators that span processes
};

// Returns for each site whether its calls are hidden.
std::vector<bool> hidden_sites(const EventReader &events) {
    std::vector<bool> hidden;
    for (const Site &site : events.sites())
        hidden.push_back(site.function == "MPI_Pcontrol");
    return hidden;
}

class Walk {
public:
    Walk(const EventReader &events, TraceListener &listener)
        : events_(events), listener_(listener), states_(events.ranks().size()),
          is_hidden_(hidden_sites(events)) {}

    void take(uint32_t index, const Event &event);
    void finish(size_t first, size_t last);

private:
    Thread &thread_of(uint32_t index, const Event &event);
    void take_call(uint32_t index, const Event &event);
    void take_round(uint32_t index, const Event &event);
    void tell_received(uint32_t index);
    void take_worker(uint32_t index, uint32_t worker, int64_t ns);
    void stop_running(uint32_t index, int64_t ns);
    void take_open_call(uint32_t index);
    CallSpan span_of(uint32_t index, int thread);

    bool is_hidden(int site) const { return site >= 0 && is_hidden_[static_cast<size_t>(site)]; }

    MessageEnd end_of(const Event &event) const {
        return {events_.ns(event.ticks),
                events_.number_of(static_cast<int>(event.a)),
                event.tag,
                event.context,
                event.c,
                event.b};
    }

    using GroupKey = std::tuple<const EventSource *, uint32_t, uint64_t, uint64_t, uint8_t>;

    struct Group {
        uint64_t number;
        uint32_t missing;
    };

    const EventReader &events_;
    TraceListener &listener_;
    std::vector<RankState> states_;
    std::vector<bool> is_hidden_;      // sites
    std::map<GroupKey, Group> groups_; // whose members have not all come
    uint64_t groups_made_ = 0;
    int64_t last_ns_ = 0;
    std::map<std::pair<const EventSource *, uint32_t>, int64_t> ran_until_; // workers
};

Thread &Walk::thread_of(uint32_t index, const Event &event) {
    std::vector<Thread> &threads = states_[index].threads;
    const auto number = std::max<size_t>(event.thread, 1);
    if (threads.size() < number)
        threads.resize(number);
    return threads[number - 1];
}

// Returns what belongs to the thread's present call, which is then forgotten.
CallSpan Walk::span_of(uint32_t index, int thread) {
    Thread &state = states_[index].threads[static_cast<size_t>(thread) - 1];
    CallSpan span{};
    span.rank = &events_.ranks()[index];
    span.thread = thread;
    span.group = std::exchange(state.group, 0);
    span.members = state.members;
    span.context = state.context;
    span.spans = state.spans;
    span.root = state.root;
    span.comm_rank = state.comm_rank;
    span.waits = std::exchange(state.waits, {});
    span.sent = std::exchange(state.sent, {});
    return span;
}

// What has arrived before the call began is told first.
void Walk::take_call(uint32_t index, const Event &event) {
    thread_of(index, event);
    const TracedRank &rank = events_.ranks()[index];
    CallSpan span = span_of(index, std::max<int>(event.thread, 1));
    span.site = rank.source->site_of(event.a);
    span.begin_ns = events_.ns(event.b);
    span.end_ns = std::max(events_.ns(event.ticks), span.begin_ns);
    span.wait_ns = events_.ns(event.ticks) - events_.ns(event.ticks - event.c);
    for (const MessageEnd &end : std::exchange(states_[index].received, {}))
        if (end.ns < span.begin_ns || is_hidden(span.site))
            listener_.received(rank, end);
        else
            span.received.push_back(end);
    if (!is_hidden(span.site))
        listener_.call(span);
}

// The first round of a call identifies its operation. On a communicator that spans processes the
// number of the call counts, if none is missing.
void Walk::take_round(uint32_t index, const Event &event) {
    Thread &thread = thread_of(index, event);
    if (thread.group)
        return;
    const bool spans = (event.flags & observe::round_spans) != 0;
    const bool begins = (event.flags & observe::round_begins) != 0;
    if (spans && events_.is_ring())
        return;
    const GroupKey key =
        spans ? GroupKey{nullptr, event.context, ++states_[index].operations[event.context], 0, 0}
              : GroupKey{events_.ranks()[index].source, event.context, event.b,
                         begins ? event.c : 0, event.flags};
    const auto [group, is_new] = groups_.try_emplace(key, Group{groups_made_ + 1, event.a});
    groups_made_ += is_new;
    thread.group = group->second.number;
    thread.members = event.a;
    thread.context = event.context;
    thread.spans = spans;
    thread.root = event.tag;
    thread.comm_rank = begins ? -1 : static_cast<int>(event.c);
    if (--group->second.missing == 0) // a later communicator may have the same id
        groups_.erase(group);
}

void Walk::stop_running(uint32_t index, int64_t ns) {
    RankState &state = states_[index];
    const int64_t since_ns = std::exchange(state.runs_since_ns, -1);
    if (since_ns < 0 || state.worker == no_worker)
        return;
    // While a rank is in a call that blocks (sleep), others run on its worker.
    const TracedRank &rank = events_.ranks()[index];
    int64_t &until_ns = ran_until_[{rank.source, state.worker}];
    const int64_t begin_ns = std::max(since_ns, until_ns);
    if (ns > begin_ns)
        listener_.ran(rank, state.worker, begin_ns, ns);
    until_ns = std::max(until_ns, ns);
}

// Between calls: what has arrived since the last one.
void Walk::tell_received(uint32_t index) {
    for (const MessageEnd &end : std::exchange(states_[index].received, {}))
        listener_.received(events_.ranks()[index], end);
}

void Walk::take_worker(uint32_t index, uint32_t worker, int64_t ns) {
    stop_running(index, ns);
    states_[index].worker = worker;
    states_[index].runs_since_ns = ns;
}

void Walk::take(uint32_t index, const Event &event) {
    const int64_t ns = events_.ns(event.ticks);
    const TracedRank &rank = events_.ranks()[index];
    RankState &state = states_[index];
    last_ns_ = std::max(last_ns_, ns);
    switch (event.kind) {
    case Event::Call:
        return take_call(index, event);
    case Event::Sent:
        return thread_of(index, event).sent.push_back(end_of(event));
    case Event::Received:
        return state.received.push_back(end_of(event));
    case Event::Wait: {
        const int cause = Cause::kind(event.c) ? events_.number_of(Cause::rank(event.c)) : no_rank;
        thread_of(index, event)
            .waits.push_back({events_.ns(event.b), ns, events_.ns(event.ticks - event.a), cause});
        if (event.thread == 1)
            state.runs_since_ns = ns;
        return;
    }
    case Event::Suspend:
        return event.thread == 1 ? stop_running(index, ns) : void();
    case Event::Round:
        return take_round(index, event);
    case Event::Worker:
        return take_worker(index, event.a, ns);
    case Event::Queue:
        return listener_.queue(rank, ns, event.a);
    case Event::RegionBegin: {
        tell_received(index);
        ++thread_of(index, event).open_regions;
        const std::vector<int> &numbers = rank.source->name_numbers;
        const int name = event.a && event.a <= numbers.size() ? numbers[event.a - 1] : -1;
        return listener_.region_begin(rank, event.thread, ns, name);
    }
    case Event::RegionEnd:
        tell_received(index);
        if (int &open = thread_of(index, event).open_regions; open > 0) {
            --open;
            listener_.region_end(rank, event.thread, ns);
        }
        return;
    case Event::Paused:
    case Event::Resumed:
        return listener_.paused(rank, ns, event.kind == Event::Paused);
    }
}

// The observation has the call that a rank is in. A trace that has ended before, or of a rank that
// was paused, does not know when it began.
void Walk::take_open_call(uint32_t index) {
    const TracedRank &rank = events_.ranks()[index];
    const uint64_t begin = rank.open_ticks();
    const uint64_t place = begin ? value(rank.record->current_place) : 0;
    const int site = place ? rank.source->site_of(static_cast<uint32_t>(place - 1)) : no_site;
    const bool is_open = place && !is_hidden(site) && events_.full_ns() < 0;
    Event only_thread;
    only_thread.thread = 1;
    thread_of(index, only_thread);
    CallSpan span = span_of(index, 1);
    span.site = site;
    span.begin_ns = events_.ns(begin);
    span.end_ns = std::max(last_ns_, span.begin_ns);
    for (const MessageEnd &end : states_[index].received)
        if (is_open && end.ns >= span.begin_ns)
            span.received.push_back(end);
        else
            listener_.received(rank, end);
    if (is_open)
        listener_.open_call(span);
}

void Walk::finish(size_t first, size_t last) {
    for (auto index = static_cast<uint32_t>(first); index < last; ++index) {
        stop_running(index, last_ns_);
        take_open_call(index);
    }
    listener_.end(last_ns_);
}

} // namespace

void walk_some(const EventReader &events, TraceListener &listener, size_t first, size_t last) {
    Walk walk(events, listener);
    const int64_t full_ns = events.full_ns();
    const auto take = [&](uint32_t index, const Event &event) {
        if (full_ns < 0 || events.ns(event.ticks) <= full_ns) // the other processes stop there, too
            walk.take(index, event);
    };
    events.for_each(first, last, take);
    walk.finish(first, last);
}

void walk(const EventReader &events, TraceListener &listener) {
    walk_some(events, listener, 0, events.ranks().size());
}

} // namespace observation
