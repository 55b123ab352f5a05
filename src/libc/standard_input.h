// Standard input of a rank.
#pragma once
#include "libc/libc_state.h"

#include <cstdio>

namespace thrum {

// The process's own FILE; first called before there are ranks.
FILE *process_stdin();
void make_stdin(LibcState &state, int world_rank);
FILE *make_input_file(LibcState &state);
int real_input(LibcState &state);
// Makes `target` the rank's descriptor 0; it belongs to the rank from now on.
void redirect_input(LibcState &state, int target);
// freopen() of stdin.
bool reopen_input(LibcState &state, const char *path, const char *mode);

} // namespace thrum
