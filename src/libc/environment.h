// The environment of each rank.
#pragma once
#include "libc/libc_state.h"

namespace thrum {

char *rank_getenv(const char *name);
void rank_setenv(const char *name, const char *value);
void rank_unsetenv(const char *name);
// Makes the vector of a new rank; it shares the strings with those of other ranks.
char **copy_environment(char *const *environment);
// Gives a rank that is added to a running job a copy of all of it.
void give_environment(LibcState &state, char *const *environment);

} // namespace thrum
