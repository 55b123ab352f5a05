// CollectiveForms: the implementations of one collective operation, one for each form in which it
// can be called. Every file of coll/ that contains a collective defines one, and the layers below
// call up through it.
#pragma once
#include "exchange/process_part.h"

namespace thrum {

struct CollectiveOperation;
struct CollectiveRequest;

struct CollectiveForms {
    // Runs the blocking form among the ranks of one process.
    Error (*run)(Communicator &comm, const CollectiveCall &call);
    // Begins the non-blocking or persistent form among the ranks of one process. `request` joins
    // the operation and does all the work that is possible at that moment. Also called for a
    // misfit.
    void (*begin)(CollectiveOperation &operation, CollectiveRequest &request);
    // Takes the result of a request that `takes` from the operation's scratch buffer.
    void (*take)(CollectiveRequest &request);
    // Records the arrival of a member whose call does not fit and that has no request in the
    // operation.
    void (*abstain)(CollectiveOperation &operation, int member);
    // Runs this process's part of the operation between node processes, in all forms.
    Flow (*flow)(ProcessPart &part);
};

} // namespace thrum
