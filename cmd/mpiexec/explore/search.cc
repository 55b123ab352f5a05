#include "explore/search.h"

#include <algorithm>
#include <utility>

namespace mpiexec {

using thrum::Outcome;
using thrum::OutcomeKind;

// A trace whose alternatives become children of a node. Its choices are numbered through.
class Search::Expansion {
public:
    explicit Expansion(const Trace &trace);

    // The numbers of choices.
    using Set = std::vector<bool>;

    size_t size() const { return ids_.size(); }

    const ChoiceId &id(size_t number) const { return ids_[number]; }

    const Choice &choice(size_t number) const {
        return trace_.choices[static_cast<size_t>(ids_[number].rank)][ids_[number].index];
    }

    size_t number_of(const ChoiceId &id) const {
        return first_of_rank_[static_cast<size_t>(id.rank)] + id.index;
    }

    // Returns all that the posting of a choice and a message for it depend on.
    Set past_of(size_t number, const Match &match);

    // Returns the choices of a set with their sources, and `number` with another one.
    Decisions decisions(const Set &set, size_t number, int source) const;
    // Returns the records of a run that follows them; `match` is what choice `number` takes.
    Prefix prefix(const Set &set, size_t number, const Match &match) const;

private:
    const Set &past_of(size_t number);
    void add_known(const Knowledge &known, Set &past);
    void add(size_t number, Set &past);

    const Trace &trace_;
    std::vector<ChoiceId> ids_;
    std::vector<size_t> first_of_rank_;
    std::vector<Set> pasts_; // of the messages that choices have taken; empty: not known yet
};

Search::Expansion::Expansion(const Trace &trace) : trace_(trace) {
    for (size_t rank = 0; rank < trace.choices.size(); ++rank) {
        first_of_rank_.push_back(ids_.size());
        for (uint32_t index = 0; index < trace.choices[rank].size(); ++index)
            ids_.push_back({static_cast<int>(rank), index});
    }
    pasts_.resize(ids_.size());
}

// Adds a choice and its past.
void Search::Expansion::add(size_t number, Set &past) {
    if (past[number])
        return;
    past[number] = true;
    const Set &own = past_of(number);
    for (size_t i = 0; i < own.size(); ++i)
        if (own[i])
            past[i] = true;
}

void Search::Expansion::add_known(const Knowledge &known, Set &past) {
    for (size_t rank = 0; rank < known.size(); ++rank) {
        const auto &own = trace_.choices[rank];
        for (size_t index = 0; index < own.size(); ++index)
            if (own[index].number != 0 && own[index].number <= known[rank].choices)
                add(first_of_rank_[rank] + index, past);
    }
}

Search::Expansion::Set Search::Expansion::past_of(size_t number, const Match &match) {
    Set past(size());
    add_known(choice(number).posted, past);
    add_known(match.known, past);
    for (const uint32_t index : match.matched_before)
        add(number_of({id(number).rank, index}), past);
    return past;
}

const Search::Expansion::Set &Search::Expansion::past_of(size_t number) {
    if (pasts_[number].empty()) {
        pasts_[number] = Set(size()); // nothing depends on itself
        pasts_[number] = past_of(number, choice(number).taken);
    }
    return pasts_[number];
}

Search::Decisions Search::Expansion::decisions(const Set &set, size_t number, int source) const {
    Decisions list;
    for (size_t i = 0; i < size(); ++i) {
        if (i == number)
            list.push_back({id(i), source});
        else if (set[i])
            list.push_back({id(i), choice(i).taken.source});
    }
    return list;
}

// The records go as far as the decisions depend on them. In between may be receives that are posted
// but may take anything.
Prefix Search::Expansion::prefix(const Set &set, size_t number, const Match &match) const {
    std::vector<uint32_t> lengths(trace_.records.size());
    const auto reach = [&](const Knowledge &known) {
        for (size_t rank = 0; rank < known.size(); ++rank)
            lengths[rank] = std::max(lengths[rank], known[rank].words);
    };
    for (size_t i = 0; i < size(); ++i) {
        if (!set[i] && i != number)
            continue;
        reach(choice(i).posted);
        reach(i == number ? match.known : choice(i).taken.known);
        auto &own = lengths[static_cast<size_t>(id(i).rank)];
        own = std::max(own, choice(i).word + 1);
    }
    Prefix prefix(lengths.size());
    for (size_t rank = 0; rank < lengths.size(); ++rank) {
        const auto &record = trace_.records[rank];
        prefix[rank].assign(record.begin(), record.begin() + lengths[rank]);
    }
    for (size_t i = 0; i < size(); ++i) {
        auto &own = prefix[static_cast<size_t>(id(i).rank)];
        if (choice(i).word >= own.size())
            continue;
        Outcome &outcome = own[choice(i).word];
        if (i == number)
            outcome.value = static_cast<uint32_t>(match.source);
        else if (!set[i] && outcome.kind == OutcomeKind::Receive &&
                 outcome.value != thrum::cancelled_receive)
            outcome.value = thrum::unmatched_receive;
    }
    return prefix;
}

bool Search::contains(const Trace &trace, const Decisions &decisions) {
    return std::ranges::all_of(decisions, [&](const Decision &decision) {
        return trace.source_of(decision.choice) == decision.source;
    });
}

const Trace *Search::find(const Decisions &decisions) const {
    const auto found = std::ranges::find_if(
        traces_, [&](const Trace &trace) { return contains(trace, decisions); });
    return found == traces_.end() ? nullptr : &*found;
}

void Search::expand(const Trace &trace, const Node &node) {
    Expansion expansion(trace);
    Expansion::Set in_prefix(expansion.size());
    for (const Decision &decision : node.decisions)
        in_prefix[expansion.number_of(decision.choice)] = true;
    std::shared_ptr<Excluded> excluded = node.excluded;
    const auto is_excluded = [&](const Decisions &decisions) {
        for (const Excluded *item = excluded.get(); item; item = item->rest.get())
            if (std::ranges::includes(decisions, item->decisions))
                return true;
        return false;
    };
    for (size_t number = 0; number < expansion.size(); ++number) {
        if (in_prefix[number])
            continue;
        for (const Match &other : expansion.choice(number).others) {
            Expansion::Set past = expansion.past_of(number, other);
            if (past[number])
                continue; // the message depends on the choice by the order of posting
            Decisions part = expansion.decisions(past, number, other.source);
            for (size_t i = 0; i < past.size(); ++i)
                past[i] = past[i] || in_prefix[i];
            Decisions decisions = expansion.decisions(past, number, other.source);
            if (!is_excluded(decisions))
                nodes_.push_back(
                    {std::move(decisions), expansion.prefix(past, number, other), excluded});
            excluded = std::make_shared<Excluded>(std::move(part), excluded);
        }
    }
}

std::optional<Prefix> Search::next() {
    while (!nodes_.empty()) {
        current_ = std::move(nodes_.back());
        nodes_.pop_back();
        const Trace *trace = find(current_.decisions);
        if (!trace)
            return current_.prefix;
        expand(*trace, current_);
    }
    return std::nullopt;
}

bool Search::add(Trace trace) {
    if (trace.choices.size() != ranks_ || !contains(trace, current_.decisions))
        return false;
    traces_.push_back(std::move(trace));
    expand(traces_.back(), current_);
    return true;
}

} // namespace mpiexec
