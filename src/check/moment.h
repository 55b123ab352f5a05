// Other threads of a rank that use the buffers of a call before it returns. A call that completes
// an operation while the rank has other threads lasts a moment longer under `mpiexec --check`, and
// its buffers are watched meanwhile (check/active_buffers.h): no other thread can know that it is
// complete, so whatever touches them is not ordered after the call. Otherwise only chance would
// show such a race. What counts are calls, and loads and stores of programs compiled by `mpicc
// --check`; other ranks may write to the memory, by one-sided operations, after they have received
// the message.
//
// Only the first few calls at each place of the program wait.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Returns whether the calling rank's present call is to last a moment longer, and counts it.
bool is_moment_due();

// Lets the moment pass.
void pass_moment() MAY_SUSPEND;

} // namespace thrum
