// The environment of each rank, for this folder's own needs: libmpi's getenv() is the process's.
#pragma once
#include "libc/libc_state.h"

namespace thrum {

// getenv(), setenv() and unsetenv() of the calling rank. A string that rank_getenv() returns is
// never freed.
char *rank_getenv(const char *name);
void rank_setenv(const char *name, const char *value);
void rank_unsetenv(const char *name);
// Makes the vector of an initial rank. It shares the strings with those of other initial ranks: the
// first call copies `environment`, and later calls ignore theirs. The vector is never freed.
char **copy_environment(char *const *environment);
// Gives a rank that is added to a running job a copy of all of `environment`, which its state owns.
void give_environment(LibcState &state, char *const *environment);

} // namespace thrum
