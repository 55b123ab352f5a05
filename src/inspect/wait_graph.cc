// The propagation of freedom (wait_graph.h). A rank that becomes free is a wake-up for those that
// need it. Each thread that needs several things looks only at the first one that it lacks, so each
// need is examined once.
#include "inspect/wait_graph.h"

#include <algorithm>
#include <cstddef>

namespace thrum {
namespace {

// One thread of a blocked rank.
struct Waiter {
    int rank;
    const Wait *wait;
    size_t first_missing = 0; // of a wait for all: the needs before it are met
};

class Propagation {
public:
    explicit Propagation(const WaitGraph &graph)
        : graph_(graph), is_free_(graph.nodes.size()), waiters_of_rank_(graph.nodes.size()),
          groups_of_rank_(graph.nodes.size()), free_in_group_(graph.groups.size()),
          waiters_of_group_(graph.groups.size()) {}

    std::vector<int> run();

private:
    bool is_met(const Need &need) const;
    void watch(size_t waiter, const Need &need);
    void set_free(int rank);
    void look(size_t waiter);
    void spread_from(int rank);

    const WaitGraph &graph_;
    std::vector<char> is_free_;
    std::vector<int> unspread_; // ranks that are free, and whose waiters do not know it yet
    std::vector<Waiter> waiters_;
    std::vector<std::vector<size_t>> waiters_of_rank_; // to be looked at when it becomes free
    std::vector<std::vector<int>> groups_of_rank_;
    std::vector<size_t> free_in_group_;
    std::vector<std::vector<size_t>> waiters_of_group_;
};

bool Propagation::is_met(const Need &need) const {
    const auto index = static_cast<size_t>(need.index);
    switch (need.of) {
    case Need::Of::Rank:
        return is_free_[index];
    case Need::Of::AnyOfGroup:
        return free_in_group_[index] > 0;
    case Need::Of::AllOfGroup:
        return free_in_group_[index] == graph_.groups[index].size();
    case Need::Of::Envelope:
    case Need::Of::Operation:
        break;
    }
    return true;
}

void Propagation::watch(size_t waiter, const Need &need) {
    const auto index = static_cast<size_t>(need.index);
    (need.of == Need::Of::Rank ? waiters_of_rank_ : waiters_of_group_)[index].push_back(waiter);
}

void Propagation::set_free(int rank) {
    if (is_free_[static_cast<size_t>(rank)])
        return;
    is_free_[static_cast<size_t>(rank)] = true;
    unspread_.push_back(rank);
}

// Sets the rank free if its thread can continue now.
void Propagation::look(size_t waiter) {
    Waiter &w = waiters_[waiter];
    const std::vector<Need> &needs = w.wait->needs;
    if (is_free_[static_cast<size_t>(w.rank)])
        return;
    if (!w.wait->all) {
        for (const Need &need : needs)
            if (is_met(need))
                return set_free(w.rank);
        if (needs.empty())
            set_free(w.rank);
        return;
    }
    while (w.first_missing < needs.size() && is_met(needs[w.first_missing]))
        ++w.first_missing;
    if (w.first_missing == needs.size())
        set_free(w.rank);
    else
        watch(waiter, needs[w.first_missing]);
}

// A group is worth a look when its first member becomes free, and when its last one does.
void Propagation::spread_from(int rank) {
    for (int group : groups_of_rank_[static_cast<size_t>(rank)]) {
        const auto index = static_cast<size_t>(group);
        const size_t count = ++free_in_group_[index];
        if (count != 1 && count != graph_.groups[index].size())
            continue;
        std::vector<size_t> waiters;
        waiters.swap(waiters_of_group_[index]);
        const size_t known = waiters.size();
        for (size_t i = 0; i < known; ++i) {
            if (!waiters_[waiters[i]].wait->all)
                waiters_of_group_[index].push_back(waiters[i]);
            look(waiters[i]);
        }
    }
    std::vector<size_t> waiters;
    waiters.swap(waiters_of_rank_[static_cast<size_t>(rank)]);
    for (size_t waiter : waiters)
        look(waiter);
}

std::vector<int> Propagation::run() {
    for (size_t group = 0; group < graph_.groups.size(); ++group)
        for (int rank : graph_.groups[group])
            groups_of_rank_[static_cast<size_t>(rank)].push_back(static_cast<int>(group));
    for (size_t rank = 0; rank < graph_.nodes.size(); ++rank) {
        const WaitNode &node = graph_.nodes[rank];
        if (node.state == WaitNode::State::Free)
            set_free(static_cast<int>(rank));
        else if (node.state == WaitNode::State::Blocked)
            for (const Wait &wait : node.waits)
                waiters_.push_back({static_cast<int>(rank), &wait});
    }
    for (size_t waiter = 0; waiter < waiters_.size(); ++waiter) {
        if (!waiters_[waiter].wait->all)
            for (const Need &need : waiters_[waiter].wait->needs)
                watch(waiter, need);
        look(waiter);
    }
    while (!unspread_.empty()) {
        const int rank = unspread_.back();
        unspread_.pop_back();
        spread_from(rank);
    }
    std::vector<int> stuck;
    for (size_t rank = 0; rank < graph_.nodes.size(); ++rank)
        if (graph_.nodes[rank].state == WaitNode::State::Blocked && !is_free_[rank])
            stuck.push_back(static_cast<int>(rank));
    return stuck;
}

} // namespace

std::vector<int> ranks_that_never_continue(const WaitGraph &graph) {
    return Propagation(graph).run();
}

bool waits_for_the_ended(const WaitGraph &graph, const std::vector<int> &ranks) {
    auto has_ended = [&](int rank) {
        return graph.nodes[static_cast<size_t>(rank)].state == WaitNode::State::Gone;
    };
    for (int rank : ranks)
        for (const Wait &wait : graph.nodes[static_cast<size_t>(rank)].waits)
            for (const Need &need : wait.needs)
                if (need.of == Need::Of::Rank
                        ? has_ended(need.index)
                        : std::ranges::any_of(graph.groups[static_cast<size_t>(need.index)],
                                              has_ended))
                    return true;
    return false;
}

} // namespace thrum
