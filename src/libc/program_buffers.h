// Flushes what a program has printed and its language's library still holds: standard streams of
// C++ without sync_with_stdio(), units of Fortran, FILEs. For the sudden end of a job
// (final_flush.cc), where destructors do not run.
#pragma once
#include "image/image.h"

#include <cstdio>

namespace thrum {

// Finds the symbols that flush_process_streams() needs, for a process that is one rank. At the end
// it would be too late, because looking up symbols takes locks. Where there are images, their
// tables are read without locks.
void find_program_streams();
// Flushes the C++ streams and the Fortran units of `image`, as the rank that is calling.
// `executable` is the number of its program. Runs code of the program's libraries, so it is called
// by GuardedRun.
void flush_program_streams(const Image *image, int executable);
// Flushes the C++ streams and Fortran units of the process's only rank.
void flush_process_streams();
// Flushes those of libraries that it has loaded while it ran.
void flush_late_streams();
// Flushes streams, units, stdout and stderr at the ordinary end of that process. Returns nullptr,
// or which standard stream ("output", "error") cannot be written, and sets `error` to errno (0: not
// known).
const char *flush_process_at_exit(int &error);
// Flushes every FILE of the process.
void flush_process_files();
// Flushes one FILE. A thread of the rank may be inside printf, or suspended for ever, with the FILE
// locked: after `patience_ms`, which counts down, this flushes without the lock.
void flush_file(FILE *file, int &patience_ms);

} // namespace thrum
