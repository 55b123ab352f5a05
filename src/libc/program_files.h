// /proc/self/exe and similar names, in jobs of several programs (program_files.cc).
#pragma once

namespace thrum {

// Opens what /proc/self/exe or /proc/self/cmdline is for the calling rank, and sets `result` to the
// descriptor, or -1 and errno. Returns false if `path` is neither, or if the process's file is
// right.
bool open_program_file(const char *path, int flags, int &result);
// Returns the file that the rank executes as `path`, which may be its /proc/self/exe.
const char *executable_for(const char *path);

} // namespace thrum
