// Readings as bytes, and back, and how they are merged (process_waits.h). All processes run the
// same library, so numbers need no conversion. What is read is checked all the same: the watch must
// not crash on a damaged packet.
#include "inspect/process_waits.h"

#include "comm/blocking_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace thrum {
namespace {

// Writes numbers and lists as bytes.
class Writer {
public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T &value) {
        bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    }

    template <class T>
    void put_list(const std::vector<T> &values) {
        put(static_cast<uint32_t>(values.size()));
        for (const T &value : values)
            put(value);
    }

    void put_graph(const WaitGraph &graph) {
        put(static_cast<uint32_t>(graph.nodes.size()));
        for (const WaitNode &node : graph.nodes) {
            put(node.state);
            put(static_cast<uint32_t>(node.waits.size()));
            for (const Wait &wait : node.waits) {
                put(wait.all);
                put_list(wait.needs);
            }
        }
        put(static_cast<uint32_t>(graph.groups.size()));
        for (const std::vector<int> &group : graph.groups)
            put_list(group);
    }

    std::string bytes;
};

// Reads what Writer has written. A field that does not fit makes ok_ false, and all further fields
// zero or empty.
class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    T take() {
        T value{};
        if (rest_.size() < sizeof value) {
            ok_ = false;
            return value;
        }
        rest_.copy(reinterpret_cast<char *>(&value), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }

    template <class T>
    std::vector<T> take_list() {
        std::vector<T> values;
        for (uint32_t n = take_count(); n > 0 && ok_; --n)
            values.push_back(take<T>());
        return values;
    }

    WaitGraph take_graph() {
        WaitGraph graph;
        for (uint32_t nodes = take_count(); nodes > 0 && ok_; --nodes) {
            WaitNode &node = graph.nodes.emplace_back();
            node.state = take<WaitNode::State>();
            for (uint32_t waits = take_count(); waits > 0 && ok_; --waits) {
                Wait &wait = node.waits.emplace_back();
                wait.all = take<bool>();
                wait.needs = take_list<Need>();
            }
        }
        for (uint32_t groups = take_count(); groups > 0 && ok_; --groups)
            graph.groups.push_back(take_list<int>());
        return graph;
    }

    bool has_read_all() const { return ok_ && rest_.empty(); }

private:
    // Reads a count of things that take at least one byte each.
    uint32_t take_count() {
        const auto count = take<uint32_t>();
        ok_ = ok_ && count <= rest_.size();
        return ok_ ? count : 0;
    }

    std::string_view rest_;
    bool ok_ = true;
};

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
    std::optional<Need> need_of(const WaitingOperation &operation);

    WaitGraph all_;
    std::set<WaitingEnvelope> queued_;
    std::map<uint32_t, std::vector<OperationCount>> begun_; // by context
};

void Merger::learn_from(const ProcessWaits &waits) {
    queued_.insert(waits.queued.begin(), waits.queued.end());
    for (const OperationCount &count : waits.begun)
        begun_[count.context].push_back(count);
}

// Returns the need for those of the needed members that are known not to have begun the operation.
std::optional<Need> Merger::need_of(const WaitingOperation &operation) {
    std::vector<int> missing;
    if (const auto found = begun_.find(operation.context); found != begun_.end())
        for (const OperationCount &count : found->second)
            if (blocking_calls_between(operation.number, count.begun) <= 0 && is_rank(count.rank) &&
                (operation.root < 0 || operation.root == count.rank))
                missing.push_back(count.rank);
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
        return place < from.operations.size() ? need_of(from.operations[place]) : std::nullopt;
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

std::string waits_to_bytes(const ProcessWaits &waits) {
    Writer writer;
    writer.put(waits.first_rank);
    writer.put_graph(waits.graph);
    writer.put_list(waits.sends);
    writer.put_list(waits.queued);
    writer.put_list(waits.operations);
    writer.put_list(waits.begun);
    writer.put_list(waits.finalizing);
    writer.put_list(waits.sent);
    writer.put_list(waits.taken);
    return std::move(writer.bytes);
}

std::optional<ProcessWaits> waits_from_bytes(std::string_view bytes) {
    Reader reader(bytes);
    ProcessWaits waits;
    waits.first_rank = reader.take<int>();
    waits.graph = reader.take_graph();
    waits.sends = reader.take_list<WaitingEnvelope>();
    waits.queued = reader.take_list<WaitingEnvelope>();
    waits.operations = reader.take_list<WaitingOperation>();
    waits.begun = reader.take_list<OperationCount>();
    waits.finalizing = reader.take_list<int>();
    waits.sent = reader.take_list<uint64_t>();
    waits.taken = reader.take_list<uint64_t>();
    return reader.has_read_all() ? std::optional(std::move(waits)) : std::nullopt;
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
