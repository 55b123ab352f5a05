// Profile: what a process has done in each superstep, and what the cost model says of it (mpiexec
// --bsp-report). The model (L. Valiant, "A bridging model for parallel computation", 1990): a
// superstep takes w + g h + l, where w is the longest computation of a process, h the most bytes
// that a process sends or receives, and g and l belong to the machine. They are measured when the
// program is at its end.
#pragma once
#include "base/may_suspend.h"
#include "bsp/machine.h"

namespace thrum::bsp {

bool is_profile_wanted();
// All processes together, when all have ended their last superstep. The first one writes the table
// and the picture.
void finish_profile(Node &node) MAY_SUSPEND;

} // namespace thrum::bsp
