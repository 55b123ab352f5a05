// The table of descriptors, which all ranks of the process share.
#pragma once

namespace thrum {

// Reports, once in the job, that a call has failed with EMFILE or ENFILE. Keeps errno.
void note_failure_to_open();

} // namespace thrum
