// Duplicates: how the members of a communicator that duplicate it find the same new context without
// waiting for each other (MPI_Comm_dup, MPI_Comm_idup). All members duplicate it in the same order
// (section 6.12), so the n-th duplicate of one is the n-th of all; whoever comes first makes the
// context, whoever comes last takes it off the list.
#pragma once
#include "comm/communicator.h"

namespace thrum {

// The context of the calling member's next duplicate. One of its members (new_context) is the
// caller's. If it spans node processes its id is still to be agreed with them.
Context &next_duplicate(Communicator &comm);

} // namespace thrum
