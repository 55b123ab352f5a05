// Begins MPI in a process that belongs to a job with others, which may include its parents.
#pragma once
#include "base/error.h"
#include "fiber/task.h"

namespace thrum::mpi {

// Calls join_job(), before a rank's first MPI call that needs the other processes. In a process
// that was added to the job it also makes the result of MPI_Comm_get_parent (section 11.8.2). It
// does so together with the parents, which wait for it in MPI_Comm_spawn.
Error join_other_processes() MAY_SUSPEND;

} // namespace thrum::mpi
