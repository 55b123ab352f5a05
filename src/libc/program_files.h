// /proc/self/exe and similar names, in jobs of several programs.
#pragma once

namespace thrum {

// Opens what /proc/self/exe or /proc/self/cmdline is for the calling rank; false: `path` is
// neither, or the process's is right.
bool open_program_file(const char *path, int flags, int &result);
// Returns what the rank executes as `path`, which may be its /proc/self/exe.
const char *executable_for(const char *path);

} // namespace thrum
