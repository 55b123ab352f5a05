// Profile: what a process has done in each superstep, compared with the cost model (mpiexec
// --bsp-report). In the model (L. Valiant, "A bridging model for parallel computation", 1990) a
// superstep takes w + g h + l. Here w is the longest computation of a process, h the most bytes
// that a process sends or receives, and g and l belong to the machine. They are measured at the end
// of the program.
#pragma once
#include "base/may_suspend.h"
#include "bsp/machine.h"

namespace thrum::bsp {

// Returns whether a report was requested.
bool is_profile_wanted();
// Measures the machine and gathers the records. Called by all processes together, when all have
// ended their last superstep. The first process writes the table and the picture.
void finish_profile(Node &node) MAY_SUSPEND;

} // namespace thrum::bsp
