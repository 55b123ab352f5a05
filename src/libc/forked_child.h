// Whether this process is a child of a rank's fork(): an ordinary process without ranks, fibers or
// workers, where MPI is an error. There the overrides must use the real functions for what ends or
// suspends.
#pragma once

namespace thrum {

// Returns whether it is. Also async-signal-safe.
bool in_forked_child();
// Called in the child, right after fork().
void mark_forked_child();

} // namespace thrum
