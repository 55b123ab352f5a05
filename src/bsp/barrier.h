// Barrier: where all processes of a machine meet. They announce which superstep they end, and how;
// processes that differ have made a mistake, which is reported.
//
// The processes of a node process count themselves. Node processes meet in a tree
// (exchange/process_tree.h). Each reports to its parent when all its processes have arrived and all
// its children have reported; then the root releases all. The reports add up how many operations of
// the superstep have been sent to each process from other node processes, so that it knows how many
// to wait for. That takes 2 (node processes - 1) messages.
#pragma once
#include "bsp/machine.h"

#include <span>

namespace thrum::bsp {

// Waits until all processes have called it. `is_end`: for bsp_end.
void meet_all(Node &node, bool is_end) MAY_SUSPEND;
// Returns how many operations of this superstep other node processes have sent to `node`. Valid
// after meet_all().
int64_t operations_from_elsewhere(const Node &node);

// Gives this node process its place in the tree, if the machine spans several.
void join_tree(Machine &machine);
// Handle the report of a child, and the release by the parent. Called by arrive functions.
void child_has_told(Machine &machine, const Announcement &theirs,
                    std::span<const uint32_t> sums) MAY_SUSPEND;
void parent_has_told(Machine &machine, std::span<const uint32_t> totals) MAY_SUSPEND;

} // namespace thrum::bsp
