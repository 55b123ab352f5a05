// posix_spawn() by a rank (spawn.cc).
#pragma once
#include "base/may_suspend.h"

#include <spawn.h>

namespace thrum {

// Starts a child with the calling rank's standard descriptors, signal mask and ignored signals, and
// sets `child`. Returns 0 or an error number. The caller decides whether it is one of the rank's
// children.
int spawn_for_rank(pid_t &child, const char *path, const posix_spawn_file_actions_t *actions,
                   const posix_spawnattr_t *attributes, char *const *argv,
                   char *const *environment) MAY_SUSPEND;

} // namespace thrum
