// The queues of all ranks of this process as lines of text, for a program that looks while the
// ranks are held (mpiexec --live):
//
//   posted RANK SOURCE TAG BYTES COMMUNICATOR     a receive that no message has matched
//   queued RANK SOURCE TAG BYTES COMMUNICATOR     a message that no receive has matched
//   more RANK POSTED QUEUED                       so many others are not listed
//
// SOURCE is a world rank; -1: any, -2: unknown. TAG -1: any. What the library sends on its own
// account is left out.
#pragma once
#include <string>

namespace thrum {

std::string list_queues();

} // namespace thrum
