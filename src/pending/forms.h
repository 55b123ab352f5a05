// CollectiveForms: how one collective operation is done, in each of the forms in which it can be
// called. Every file of coll/ that holds a collective gives one; the layers below call up by it.
#pragma once
#include "exchange/process_part.h"

namespace thrum {

struct CollectiveOperation;
struct CollectiveRequest;

struct CollectiveForms {
    // Blocking, by the ranks of one process.
    Error (*run)(Communicator &comm, const CollectiveCall &call);
    // Non-blocking and persistent, by the ranks of one process: `request` joins the operation, and
    // does all the work that can be done now. A request that is a misfit comes here, too.
    void (*begin)(CollectiveOperation &operation, CollectiveRequest &request);
    // Takes the result of a request that `takes` from the operation's scratch buffer.
    void (*take)(CollectiveRequest &request);
    // A member has come whose call does not fit, and that has no request in the operation.
    void (*abstain)(CollectiveOperation &operation, int member);
    // In all forms between node processes: the part of this one.
    Flow (*flow)(ProcessPart &part);
};

} // namespace thrum
