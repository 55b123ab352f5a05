// A child of a rank's fork(): an ordinary process without ranks, fibers or workers, where MPI is an
// error. There the real functions must be used for what ends or suspends.
#pragma once

namespace thrum {

bool in_forked_child();
void mark_forked_child();

} // namespace thrum
