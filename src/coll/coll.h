// The collective operations (MPI 5.0 chapter 6). Arguments are checked by the caller (mpi/coll.cc),
// except for what only a comparison with other ranks can show.
#pragma once
#include "base/error.h"
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/request.h"

#include <memory>

namespace thrum {

// How each operation is done, in all forms: in the file of its name.
struct RootedForms;
extern const CollectiveForms barrier_forms, allgather_forms, alltoall_forms, reduce_forms,
    allreduce_forms, reduce_scatter_forms, scan_forms;
extern const RootedForms bcast_forms, gather_forms, scatter_forms;
extern const CollectiveForms *const collective_forms[]; // by Collective, from Barrier

inline const CollectiveForms &forms_of(Collective collective) {
    return *collective_forms[static_cast<int>(collective) - static_cast<int>(Collective::Barrier)];
}

// The blocking form of every operation. It reads the call, and the arrays that it names, until it
// returns.
inline Error run_collective(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return run_between_processes(comm, call, forms_of(call.collective).flow);
    return forms_of(call.collective).run(comm, call);
}

Error barrier(Communicator &comm) MAY_SUSPEND;

// The non-blocking form and the initialisation of the persistent one (sections 6.12 and 6.13). The
// caller has made the request, and checked the arguments and written them to its `call`: a copy
// made at once of what was written a moment ago stalls.
using NewCollective = std::unique_ptr<CollectiveRequest>;
void begin_collective(CollectiveRequest &made, MPI_Request *request) MAY_SUSPEND;
Error initialize_collective(NewCollective made, MPI_Request *request);
void ibarrier(Communicator &comm, MPI_Request *request) MAY_SUSPEND;

// The request of a call that is at hand.
NewCollective collective_of(Communicator &comm, const CollectiveCall &call, CallForm form);

// Publishes `argument` (an address on the caller's stack, say) and waits until all members have
// come. Afterwards argument_of() gives every member's, until this member's next meet() returns:
// whoever publishes memory must meet once more before giving it up. An error (nobody's argument may
// be used then) says that some member has called another collective operation. In a communicator
// that spans node processes the members come together, but nobody sees another's argument:
// exchange/process_tree.h, exchange_together().
Error meet(Communicator &comm, const void *argument,
           Collective collective = Collective::Communicator) MAY_SUSPEND;

// Between node processes, MPI_Allreduce, and MPI_Reduce_scatter(_block), where each rank takes its
// share.
Flow allreduce_flow(ProcessPart &part) MAY_SUSPEND;

} // namespace thrum
