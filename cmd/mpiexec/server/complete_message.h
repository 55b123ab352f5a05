// Checks the end of a message between mpiexec and an agent.
#pragma once
#include "base/codec.h"

namespace mpiexec {

// Throws UsageError if the message was malformed, or if something of it is left: the other side is
// of another version.
void require_complete(thrum::Decoder &message);

} // namespace mpiexec
