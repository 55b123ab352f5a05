// The progress of file accesses in which several node processes take part: while one is under way
// that no rank waits for, a thread listens to the other processes when no rank does, so that what
// these send is taken in, and answered, though all ranks compute (MPI 5.0 section 14.6.3).
#pragma once

namespace thrum {

// An access has begun that needs others; it has ended. Any thread.
void begin_unattended_access();
void end_unattended_access();

} // namespace thrum
