// Progress of file accesses in which several node processes take part. While such an access is
// active and no rank waits for it, a thread listens to the other processes when no rank does. So
// their messages are received and answered even if all ranks compute (MPI 5.0 section 14.6.3).
#pragma once

namespace thrum {

// Count accesses that depend on other processes, from their start to their end. Any thread. The
// first call of the process creates the thread.
void begin_unattended_access();
void end_unattended_access();

} // namespace thrum
