// A finding of `mpiexec --check`: a receive from MPI_ANY_SOURCE, or a probe, that could have got
// another message, where that makes a difference.
//
//   - A receive that asks for something else has taken the other message, and might wait in vain.
//   - Nobody has received the other message.
//   - The other message does not fit the receive, by its size or its type.
//
// Receives that ask for the same may share the messages in any order: a master that collects
// results is right. Each pair of source lines is reported once.
#pragma once

namespace thrum {

// Begins to look for such receives in a job of `ranks` ranks. Called before they run.
void start_arrival_check(int ranks);

// Reports what was found. Called when the job ends, or can never go on.
void report_arrival_findings();

} // namespace thrum
