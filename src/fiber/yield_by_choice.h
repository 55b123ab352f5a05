// yield_by_choice(): a rank lets others run where a seed chooses so (fiber/choice.h).
#pragma once
#include "base/may_suspend.h"

namespace thrum {

// Lets another rank run, if there is one that can and the seed chooses so. Called where a rank
// could also be interrupted: at the end of an MPI call.
void yield_by_choice() MAY_SUSPEND;

} // namespace thrum
