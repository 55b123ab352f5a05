// The end of a message between mpiexec and an agent: was it what the other side writes?
#pragma once
#include "base/codec.h"

namespace mpiexec {

// Throws UsageError if the message was malformed, or if something of it is left.
void require_complete(thrum::Decoder &message);

} // namespace mpiexec
