// The begin of MPI in a process that has others, and may have parents among them.
#pragma once
#include "base/error.h"
#include "fiber/task.h"

namespace thrum::mpi {

// Before the first MPI call of the calling rank that needs the others: join_job(). In a process
// that was added to the job it also makes what MPI_Comm_get_parent returns (section 11.8.2),
// together with the parents, who wait for it in MPI_Comm_spawn.
Error join_other_processes() MAY_SUSPEND;

} // namespace thrum::mpi
