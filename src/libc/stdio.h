// The FILEs of a rank: making, flushing and closing them (stdio.cc).
#pragma once
#include "base/may_suspend.h"
#include "libc/libc_state.h"

#include <cstdio>

namespace thrum {

// Makes standard output and standard error those of `world_rank`: its prefix, its files.
void open_output(LibcState &state, int world_rank);
// Makes the FILEs stdout and stderr of a rank on its OutputStreams, with their buffers.
void make_stdio(LibcState &state);
// Closes what the rank's exit() has not closed, as the kernel does for a process. No code of the
// rank may still run.
void close_stdio(LibcState &state);
void flush_stdio(LibcState &state) MAY_SUSPEND; // all FILEs and unfinished lines
// Writes the unfinished lines of stdout and stderr only, as _exit() needs it: buffers of FILEs are
// lost.
void flush_unfinished_lines(LibcState &state) MAY_SUSPEND;
// Return what the program's stdout and stderr point to: it may have assigned another FILE.
FILE *rank_stdout();
FILE *rank_stderr();
// Adds a FILE that the calling rank has opened to those that fflush(NULL) and exit() flush.
void remember_file(FILE *file);

} // namespace thrum
