// The FILEs of a rank: making, flushing and closing them.
#pragma once
#include "base/may_suspend.h"
#include "libc/libc_state.h"

#include <cstdio>

namespace thrum {

// Opens standard output and standard error as those of `world_rank`.
void open_output(LibcState &state, int world_rank);
void make_stdio(LibcState &state);
// Closes what the rank's exit() has not closed, as the kernel does for a process.
void close_stdio(LibcState &state);
void flush_stdio(LibcState &state) MAY_SUSPEND; // every FILE of the rank
void flush_unfinished_lines(LibcState &state) MAY_SUSPEND;
// Return what the program's stdout and stderr point to: it may have assigned another FILE.
FILE *rank_stdout();
FILE *rank_stderr();
void remember_file(FILE *file);

} // namespace thrum
