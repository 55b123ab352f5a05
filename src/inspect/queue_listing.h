// The queues of all ranks of this process as lines of text, for a program that looks while the
// ranks are held (mpiexec --live):
//
//   posted RANK SOURCE TAG BYTES COMMUNICATOR     a receive that no message has matched
//   queued RANK SOURCE TAG BYTES COMMUNICATOR     a message that no receive has matched
//   more RANK POSTED QUEUED                       how many others are not listed
//
// SOURCE is a world rank; -1: any, -2: unknown. TAG -1: any. Messages of the library itself are
// left out.
#pragma once
#include <string>

namespace thrum {

// Returns the lines. Each queue is read under the lock of its mailbox.
std::string list_queues();

} // namespace thrum
