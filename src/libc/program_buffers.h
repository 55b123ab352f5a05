// Flushes what a program has printed and its language's library still holds: standard streams of
// C++ without sync_with_stdio(), units of Fortran, FILEs. For the sudden end of a job.
#pragma once
#include "image/image.h"

#include <cstdio>

namespace thrum {

// Finds what the next function needs, for a process that is one rank. (Looking up symbols takes
// locks; where there are images, their tables are read without.)
void find_program_streams();
// Flushes the C++ streams and the Fortran units of `image`, as the rank that is calling.
// `executable`: the number of its program. Runs code of the program's libraries (GuardedRun).
void flush_program_streams(const Image *image, int executable);
// Flushes those of the process's only rank.
void flush_process_streams();
// Flushes them at the ordinary end of that process. Returns nullptr, or which standard stream
// ("output", "error") could not be written, and sets `error` to errno (0: not known).
const char *flush_process_at_exit(int &error);
// Flushes every FILE of the process.
void flush_process_files();
// Flushes one FILE. A thread of the rank may be inside printf, or suspended for ever, with the FILE
// locked: after `patience_ms`, which counts down, this flushes without the lock.
void flush_file(FILE *file, int &patience_ms);

} // namespace thrum
