// mpiexec --stdin all: every rank reads the whole of the job's standard input, by a descriptor of
// its own.
#pragma once

namespace thrum {

// A descriptor for one rank, closed on exec. Before there are ranks; ends the process with a
// message if there are no more descriptors.
int open_input_for_all(int rank_count);

// When every rank has its own: what comes is handed on from now on.
void start_input_for_all();

} // namespace thrum
