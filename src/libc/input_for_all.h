// mpiexec --stdin all: every rank reads the whole of the job's standard input, by a descriptor of
// its own.
#pragma once

namespace thrum {

// A descriptor for one rank, closed on exec. Before there are ranks; ends the process with a
// message if there are no more descriptors.
int open_input_for_all(int rank_count);

// Starts to distribute the input, when every rank has its descriptor.
void start_input_for_all();

} // namespace thrum
