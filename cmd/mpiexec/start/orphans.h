// Processes that those of a job leave behind: they become children of mpiexec, the reaper of
// orphans.
#pragma once

namespace mpiexec {

// Ends and reaps what is left of the processes' own children, which have become ours.
void end_orphans();

} // namespace mpiexec
