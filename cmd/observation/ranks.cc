#include "ranks.h"

#include <algorithm>

namespace observation {

std::vector<std::pair<int, const observe::RankRecord *>> observed_ranks(const Mapping &mapping) {
    const observe::Observation &o = mapping.observation();
    const auto *records =
        mapping.at<observe::RankRecord>(o.ranks, static_cast<size_t>(o.rank_count));
    std::vector<std::pair<int, const observe::RankRecord *>> ranks;
    for (int i = 0; i < o.rank_count; ++i)
        ranks.emplace_back(o.first_rank + i, &records[i]);
    // acquire [observe-4]: where the records are.
    observe::Offset offset = o.newest_added.load(std::memory_order_acquire);
    while (const auto *added = mapping.at<observe::AddedRank>(offset)) {
        if (const auto *record = mapping.at<observe::RankRecord>(added->record))
            ranks.emplace_back(added->world_rank, record);
        offset = added->next;
    }
    return ranks;
}

void RankNumbers::add(const observe::Observation &o, const std::vector<int> &world_ranks) {
    if (o.first_rank < o.all_ranks) // otherwise a process that was added
        first_ranks_ = std::max(first_ranks_, o.all_ranks);
    for (int rank : world_ranks)
        if (rank >= o.all_ranks)
            added_[rank] = 0;
    int next = first_ranks_;
    for (auto &[rank, number] : added_)
        number = next++;
}

void RankNumbers::add(const Mapping &mapping) {
    std::vector<int> world_ranks;
    for (const auto &[rank, record] : observed_ranks(mapping))
        world_ranks.push_back(rank);
    add(mapping.observation(), world_ranks);
}

int RankNumbers::of(int world_rank) const {
    if (world_rank < first_ranks_)
        return world_rank;
    const auto added = added_.find(world_rank);
    return added == added_.end() ? no_rank : added->second;
}

} // namespace observation
