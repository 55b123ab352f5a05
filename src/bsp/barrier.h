// Barrier: where all processes of a machine meet. They announce which superstep they end, and how.
//
// The processes of a node process count themselves. Node processes meet in a tree
// (exchange/process_tree.h): each tells its parent when all its processes have come and all its
// children have told it; the root then lets all go. Along with that goes how many operations of the
// superstep have been sent to each process from elsewhere, so that it knows for what it has to
// wait: 2 (node processes - 1) messages.
#pragma once
#include "bsp/machine.h"

#include <span>

namespace thrum::bsp {

// Returns when all processes have called it.
void meet_all(Node &node, bool is_end) MAY_SUSPEND;
// Operations of this superstep that come to `node` from other node processes; after meet_all().
int64_t operations_from_elsewhere(const Node &node);

// The processes of `machine` are in several node processes.
void join_tree(Machine &machine);
// A child, or the parent, has told. For arrive functions.
void child_has_told(Machine &machine, const Announcement &theirs,
                    std::span<const uint32_t> sums) MAY_SUSPEND;
void parent_has_told(Machine &machine, std::span<const uint32_t> totals) MAY_SUSPEND;

} // namespace thrum::bsp
