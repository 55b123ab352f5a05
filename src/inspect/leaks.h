// Leaks: what a program has neither freed nor completed when MPI ends, each with the line that made
// it. The ranks of a process share one report.
//
//   MPI_Finalize      note_leaks_at_finalize(); the last rank of the process prints
//   a rank's end      note_leaks_at_end(): what may be freed after MPI_Finalize; all objects if the
//                     rank has used sessions
//   the job's end     report_remaining_leaks() prints what is left
//
// Only of ranks that end well.
#pragma once
#include "comm/process.h"

namespace thrum {

// Notes what the calling rank has left. It has completed its communication.
void note_leaks_at_finalize(Process &process);
// Prints what has been noted, if all ranks of this process have been in MPI_Finalize.
void report_leaks_at_finalize();

// Notes what the rank, which ends with exit code 0, has left.
void note_leaks_at_end(Process &process);
// Prints what has been noted since, when all ranks have ended. Returns the exit code of the job,
// which is `code` unless leaks are errors.
int report_remaining_leaks(int code);

} // namespace thrum
