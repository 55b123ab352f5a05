// The agent on a host: starts the processes of its node as mpiexec (agents.h) has told it over the
// link, is their PMIx server, and tells what becomes of them.
#pragma once

namespace mpiexec {

// Returns an exit code; says on standard error what mpiexec cannot be told.
int run_agent();

} // namespace mpiexec
