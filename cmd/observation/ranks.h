// The ranks of a job: those that it began with, and those that were added (MPI_Comm_spawn).
#pragma once
#include "mapping.h"

#include <map>
#include <utility>
#include <vector>

namespace observation {

inline constexpr int no_rank = -1;

// Returns the records of a process by world ranks: those of its first ranks, then of added ones.
std::vector<std::pair<int, const observe::RankRecord *>> observed_ranks(const Mapping &mapping);

// Ranks that were added to the job have world ranks far behind those of the first ones. What users
// see are numbers with which they follow them.
class RankNumbers {
public:
    // Adds the ranks of a process. Called for all processes, before the others.
    void add(const observe::Observation &o, const std::vector<int> &world_ranks);
    void add(const Mapping &mapping);

    // Returns no_rank if the rank has not begun to use MPI.
    int of(int world_rank) const;

    int added_ranks() const { return static_cast<int>(added_.size()); }

    int all_ranks() const { return first_ranks_ + added_ranks(); }

private:
    int first_ranks_ = 0;
    std::map<int, int> added_; // numbers by world ranks
};

} // namespace observation
