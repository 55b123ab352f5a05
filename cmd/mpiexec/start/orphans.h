// Processes that those of a job leave behind: they become children of mpiexec, the reaper of
// orphans.
#pragma once

namespace mpiexec {

// The name of programs that show a job (cmd/live): they are told of its end later.
inline constexpr char viewer_name[] = "thrum-view";

// Ends and reaps what is left of the processes' own children, which have become ours.
void end_orphans();

} // namespace mpiexec
