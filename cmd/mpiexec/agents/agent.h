// The agent on a host (mpiexec --thrum-agent): starts the processes of its node as mpiexec
// (agents.h) asks over the link, is their PMIx server, and reports what becomes of them (agent.cc).
#pragma once

namespace mpiexec {

// Runs an agent on standard input and output until mpiexec ends the job or is gone. Returns an exit
// code. Prints on standard error what cannot be sent to mpiexec.
int run_agent();

} // namespace mpiexec
