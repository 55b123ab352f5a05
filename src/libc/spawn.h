// posix_spawn() by a rank.
#pragma once
#include "base/may_suspend.h"

#include <spawn.h>

namespace thrum {

// Starts a child as the rank would. Returns 0 or an error number.
int spawn_for_rank(pid_t &child, const char *path, const posix_spawn_file_actions_t *actions,
                   const posix_spawnattr_t *attributes, char *const *argv,
                   char *const *environment) MAY_SUSPEND;

} // namespace thrum
