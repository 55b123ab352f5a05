// Ctrl-C (SIGINT) and SIGTERM end the job at once, with one line that says where its ranks were. A
// second signal ends the process silently. SIGUSR1 prints the same, and the job goes on.
#pragma once
#include "rank/rank.h"

namespace thrum {

// Installs the handlers, unless the signals are ignored (nohup).
void install_interrupt_handlers();

// Writes "612 ranks in MPI_Barrier, 3 in MPI_Recv, 2 computing, 383 ready to run". Safe in a signal
// handler; uses static memory, so only one thread may call it.
const char *where_ranks_are(char *buffer, unsigned size_bytes);
// The same without `self`.
const char *where_other_ranks_are(const Rank &self, char *buffer, unsigned size_bytes);

} // namespace thrum
