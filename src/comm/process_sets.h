// Process sets of the Sessions Model (MPI 5.0 section 11.3.2).
#pragma once
#include "comm/group.h"

namespace thrum {

inline constexpr int pset_count = 2;
// Returns the name of set `n`, from 0 to pset_count - 1.
const char *pset_name(int n);
// Returns the group of the set with that name, derived from `session`, with one reference. Returns
// nullptr if `process` is in no set of that name.
Group *new_pset_group(Process &process, const char *name, Session *session);

} // namespace thrum
