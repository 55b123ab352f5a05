// The table of descriptors, which all ranks of the process share (descriptor_limit.cc).
#pragma once

namespace thrum {

// Called when a call that opens something has failed. If errno is EMFILE or ENFILE, reports once in
// the process what to do. Keeps errno.
void note_failure_to_open();

} // namespace thrum
