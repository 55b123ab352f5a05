// The begin and the end of MPI in a process whose job has other node processes (wireup/).
#pragma once
#include "fiber/task.h"

namespace thrum {

// Before the first MPI call of the calling rank that needs the others: the first rank of the
// process connects it and meets all other processes; its other ranks wait for that.
void join_job() MAY_SUSPEND;
// In MPI_Finalize: returns when all ranks of all processes have called it, and the others will see
// no failure in the end of this process.
void leave_job() MAY_SUSPEND;

} // namespace thrum
