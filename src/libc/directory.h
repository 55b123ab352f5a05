// The working directory and the umask of each rank (directory.cc).
#pragma once
#include "libc/libc_state.h"

namespace thrum {

// Changes the directory of the calling rank only. Returns 0, or -1 and sets errno.
int change_directory(const char *path);
// Returns whether the calling rank has changed its directory.
bool has_own_directory();
// Enters the directory of `rank`. Only for the signal thread, before it runs a handler of that
// rank.
void enter_directory_as_visitor(Rank &rank);
// Enters the directory of `rank`, on a thread of it that has just started.
void enter_directory_in_new_thread(Rank &rank);

} // namespace thrum
