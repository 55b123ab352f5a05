// Work of a collective operation in pieces: whoever has made it possible does it, and if it is
// large ranks on other cores that wait for this operation are asked to help.
//
// An invitation comes with a hold on the operation, so that the guest may look for pieces although
// its own request may be complete by then. Whoever is not waiting does not see its invitation: it
// is taken back when its request completes.
#pragma once
#include "pending/request.h"

namespace thrum {

using RunPiece = void(CollectiveOperation &operation, CollectiveRequest &runner, int piece);
using FinishPieces = void(CollectiveOperation &operation, CollectiveRequest &runner);

// Calls run(piece) for each of `pieces` pieces, of `size_bytes` altogether, then finish(); perhaps
// by other ranks, perhaps after the return. `runner` is the caller's request, whose arguments (a
// user's function among them) are used by the pieces that the caller runs.
void do_work(CollectiveOperation &operation, CollectiveRequest &runner, int pieces,
             size_t size_bytes, RunPiece *run, FinishPieces *finish) MAY_SUSPEND;

} // namespace thrum
