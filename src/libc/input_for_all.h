// mpiexec --stdin all: every rank reads the whole of the job's standard input, by a descriptor of
// its own (input_for_all.cc).
#pragma once

namespace thrum {

// Returns a descriptor for one rank, which the caller owns; it is closed on exec. Must be called
// before there are ranks. Ends the process with a message if there are no descriptors left;
// `rank_count` is for that message.
int open_input_for_all(int rank_count);

// Starts to distribute the input. Must be called when every rank has its descriptor. Does nothing
// if the input is a file, or if --stdin is not `all`.
void start_input_for_all();

} // namespace thrum
