// Splits the work of a collective operation into pieces. The member that makes the work possible
// does it; if it is large, ranks on other cores that wait for this operation are asked to help.
//
// An invitation holds the operation, so that the guest may look for pieces even if its own request
// is already complete. A rank that is not waiting does not see its invitation, which is then
// withdrawn when its request completes.
#pragma once
#include "pending/request.h"

namespace thrum {

using RunPiece = void(CollectiveOperation &operation, CollectiveRequest &runner, int piece);
using FinishPieces = void(CollectiveOperation &operation, CollectiveRequest &runner);

// Calls run(piece) for each of `pieces` pieces, of `size_bytes` altogether, then finish(). Other
// ranks may run pieces, perhaps after the return. `runner` is the caller's request: pieces that the
// caller runs use its arguments, including a user's function.
void do_work(CollectiveOperation &operation, CollectiveRequest &runner, int pieces,
             size_t size_bytes, RunPiece *run, FinishPieces *finish) MAY_SUSPEND;

} // namespace thrum
