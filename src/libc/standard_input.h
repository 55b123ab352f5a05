// Standard input of a rank (standard_input.cc).
#pragma once
#include "libc/libc_state.h"

#include <cstdio>

namespace thrum {

// Returns the process's own FILE. Must be called first before there are ranks.
FILE *process_stdin();
// Gives a rank its descriptor 0 and its FILE, as --stdin says. Ends the process with a message if
// there are no descriptors left.
void make_stdin(LibcState &state, int world_rank);
// Returns a new FILE that reads what descriptor 0 of the rank means at the time of each read.
FILE *make_input_file(LibcState &state);
// Returns the process's descriptor that the rank's 0 means, or -1 if the rank has closed it.
int real_input(LibcState &state);
// Makes `target` the rank's descriptor 0; the rank owns it from now on. -1 closes it. The
// descriptor before it is closed, unless other ranks use it.
void redirect_input(LibcState &state, int target);
// Does what freopen() of stdin does. Returns false with errno set if the file cannot be opened;
// then nothing has changed.
bool reopen_input(LibcState &state, const char *path, const char *mode);

} // namespace thrum
