// Readings as texts, and back, and how they are merged (process_waits.h). What is read is checked:
// the watch must not crash on a damaged packet.
#include "inspect/process_waits.h"

#include "comm/blocking_calls.h"
#include "inspect/coded_fields.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace thrum {

template <>
constexpr auto fields_of<Need> = std::tuple(&Need::of, &Need::index);
template <>
constexpr auto fields_of<Wait> = std::tuple(&Wait::all, &Wait::needs);
template <>
constexpr auto fields_of<WaitNode> = std::tuple(&WaitNode::state, &WaitNode::waits);
template <>
constexpr auto fields_of<WaitGraph> = std::tuple(&WaitGraph::nodes, &WaitGraph::groups);
template <>
constexpr auto fields_of<WaitingEnvelope> =
    std::tuple(&WaitingEnvelope::receiver, &WaitingEnvelope::sender_process,
               &WaitingEnvelope::sender, &WaitingEnvelope::serial);
template <>
constexpr auto fields_of<WaitingOperation> =
    std::tuple(&WaitingOperation::context, &WaitingOperation::number, &WaitingOperation::waiter,
               &WaitingOperation::needed, &WaitingOperation::sends);
template <>
constexpr auto fields_of<OperationCount> =
    std::tuple(&OperationCount::context, &OperationCount::rank, &OperationCount::begun);
template <>
constexpr auto fields_of<ProcessWaits> =
    std::tuple(&ProcessWaits::first_rank, &ProcessWaits::graph, &ProcessWaits::sends,
               &ProcessWaits::queued, &ProcessWaits::operations, &ProcessWaits::begun,
               &ProcessWaits::finalizing, &ProcessWaits::polling, &ProcessWaits::sent,
               &ProcessWaits::taken);

namespace {

// Adds readings to one graph.
class Merger {
public:
    explicit Merger(int world_size) { all_.nodes.resize(static_cast<size_t>(world_size)); }

    void learn_from(const ProcessWaits &waits);
    void add(const ProcessWaits &waits);

    WaitGraph take() { return std::move(all_); }

private:
    bool is_rank(int rank) const {
        return rank >= 0 && static_cast<size_t>(rank) < all_.nodes.size();
    }

    Wait translated(const Wait &wait, const ProcessWaits &from, int first_group);
    std::optional<Need> translated(const Need &need, const ProcessWaits &from, int first_group);
    std::optional<Need> need_of(const WaitingOperation &operation, const ProcessWaits &from);

    WaitGraph all_;
    std::set<WaitingEnvelope> queued_;
    std::map<uint32_t, std::vector<OperationCount>> begun_; // by context
    // Ranks that run an operation for their processes, by context and number.
    std::map<std::pair<uint32_t, uint32_t>, std::set<int>> waiters_;
};

void Merger::learn_from(const ProcessWaits &waits) {
    queued_.insert(waits.queued.begin(), waits.queued.end());
    for (const OperationCount &count : waits.begun)
        begun_[count.context].push_back(count);
    for (const WaitingOperation &operation : waits.operations)
        waiters_[{operation.context, operation.number}].insert(operation.waiter);
}

// Returns the need for those of the needed members that are known not to have begun the operation.
// If there are none, but their process has not sent the awaited packet, it is the need for the one
// that runs the operation there.
std::optional<Need> Merger::need_of(const WaitingOperation &operation, const ProcessWaits &from) {
    std::set<int> needed;
    if (operation.needed != WaitingOperation::all_members) {
        if (static_cast<size_t>(operation.needed) >= from.graph.groups.size())
            return {};
        const std::vector<int> &group = from.graph.groups[static_cast<size_t>(operation.needed)];
        needed.insert(group.begin(), group.end());
    }
    std::vector<int> missing;
    if (const auto found = begun_.find(operation.context); found != begun_.end())
        for (const OperationCount &count : found->second)
            if (blocking_calls_between(operation.number, count.begun) <= 0 && is_rank(count.rank) &&
                (operation.needed == WaitingOperation::all_members || needed.count(count.rank)))
                missing.push_back(count.rank);
    if (missing.empty() && operation.sends)
        for (const int waiter : waiters_[{operation.context, operation.number}])
            if (needed.count(waiter))
                return Need{Need::Of::Rank, waiter};
    if (missing.empty())
        return {};
    all_.groups.push_back(std::move(missing));
    return Need{Need::Of::AllOfGroup, static_cast<int>(all_.groups.size()) - 1};
}

// Returns the need in terms of the whole graph; nothing if it may be met.
std::optional<Need> Merger::translated(const Need &need, const ProcessWaits &from,
                                       int first_group) {
    const auto place = static_cast<size_t>(need.index);
    switch (need.of) {
    case Need::Of::Rank:
        return is_rank(need.index) ? std::optional(need) : std::nullopt;
    case Need::Of::AnyOfGroup:
    case Need::Of::AllOfGroup:
        return place < from.graph.groups.size()
                   ? std::optional(Need{need.of, first_group + need.index})
                   : std::nullopt;
    case Need::Of::Envelope:
        return place < from.sends.size() && queued_.count(from.sends[place]) &&
                       is_rank(from.sends[place].receiver)
                   ? std::optional(Need{Need::Of::Rank, from.sends[place].receiver})
                   : std::nullopt;
    case Need::Of::Operation:
        return place < from.operations.size() ? need_of(from.operations[place], from)
                                              : std::nullopt;
    }
    return {};
}

// As in wait_reader.cc: an unknown need is left out of a wait for all, and may end a wait for one.
Wait Merger::translated(const Wait &wait, const ProcessWaits &from, int first_group) {
    Wait result{wait.all, {}};
    for (const Need &need : wait.needs) {
        if (const std::optional<Need> known = translated(need, from, first_group))
            result.needs.push_back(*known);
        else if (!wait.all)
            return {};
    }
    return result;
}

// A group with a member that is no rank of the job is met by nobody else, so its process is left
// out.
void Merger::add(const ProcessWaits &waits) {
    for (const std::vector<int> &group : waits.graph.groups)
        if (!std::ranges::all_of(group, [this](int rank) { return is_rank(rank); }))
            return;
    const auto first_group = static_cast<int>(all_.groups.size());
    all_.groups.insert(all_.groups.end(), waits.graph.groups.begin(), waits.graph.groups.end());
    for (size_t i = 0; i < waits.graph.nodes.size(); ++i) {
        const int rank = waits.first_rank + static_cast<int>(i);
        if (!is_rank(rank))
            return;
        const WaitNode &node = waits.graph.nodes[i];
        WaitNode &merged = all_.nodes[static_cast<size_t>(rank)];
        merged.state = node.state;
        for (const Wait &wait : node.waits)
            merged.waits.push_back(translated(wait, waits, first_group));
    }
}

} // namespace

std::string waits_to_text(const ProcessWaits &waits) {
    Encoder encoder;
    encode(encoder, waits);
    return encoder.text();
}

std::optional<ProcessWaits> waits_from_text(std::string_view text) {
    Decoder decoder(text);
    auto waits = decode<ProcessWaits>(decoder);
    return decoder.finish() ? std::optional(std::move(waits)) : std::nullopt;
}

WaitGraph merged_graph(const std::vector<const ProcessWaits *> &by_process, int world_size) {
    Merger merger(world_size);
    for (const ProcessWaits *waits : by_process)
        if (waits)
            merger.learn_from(*waits);
    for (const ProcessWaits *waits : by_process)
        if (waits)
            merger.add(*waits);
    return merger.take();
}

bool all_is_taken(const std::vector<const ProcessWaits *> &first,
                  const std::vector<const ProcessWaits *> &second, const std::vector<int> &senders,
                  const std::vector<int> &receivers) {
    for (int sender : senders)
        for (int receiver : receivers) {
            if (sender == receiver)
                continue;
            const auto from = static_cast<size_t>(sender), to = static_cast<size_t>(receiver);
            if (!first[from] || !second[to] || first[from]->sent.size() <= to ||
                second[to]->taken.size() <= from || second[to]->taken[from] < first[from]->sent[to])
                return false;
        }
    return true;
}

} // namespace thrum
