// The collective operations (MPI 5.0 chapter 6). The caller (mpi/coll.cc) checks the arguments,
// except for what only a comparison with other ranks can reveal.
#pragma once
#include "base/error.h"
#include "meeting/round.h"
#include "pending/buffer_checks.h"
#include "pending/forms.h"
#include "pending/request.h"

#include <memory>

namespace thrum {

// The implementations of each operation in all forms, each in the file of its name. bcast, gather
// and scatter have a common non-blocking form (rooted.h).
struct RootedForms;
extern const CollectiveForms barrier_forms, allgather_forms, alltoall_forms, reduce_forms,
    allreduce_forms, reduce_scatter_forms, scan_forms;
extern const RootedForms bcast_forms, gather_forms, scatter_forms;
extern const CollectiveForms *const collective_forms[]; // indexed by Collective, from Barrier on

inline const CollectiveForms &forms_of(Collective collective) {
    return *collective_forms[static_cast<int>(collective) - static_cast<int>(Collective::Barrier)];
}

namespace detail {

inline Error run_unchecked(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        return run_between_processes(comm, call, forms_of(call.collective).flow);
    return forms_of(call.collective).run(comm, call);
}

// Compares the buffers with those of active operations, and looks whether other threads use them.
[[gnu::cold, gnu::noinline]] inline Error run_checked(Communicator &comm,
                                                      const CollectiveCall &call) MAY_SUSPEND {
    check_collective(comm, call);
    const Error error = run_unchecked(comm, call);
    watch_collective_for_a_moment(comm, call);
    return error;
}

} // namespace detail

// Runs the blocking form of any operation. `call` and the arrays that it names must stay until it
// returns.
inline Error run_collective(Communicator &comm, const CollectiveCall &call) MAY_SUSPEND {
    return has_buffer_checks() ? detail::run_checked(comm, call)
                               : detail::run_unchecked(comm, call);
}

// Does MPI_Barrier.
Error barrier(Communicator &comm) MAY_SUSPEND;

// Begin the non-blocking form, or initialise the persistent one (sections 6.12 and 6.13). The
// caller has made the request, checked the arguments and written them directly to its `call`: a
// copy of data that were just written would stall the core. begin_collective() owns `made` from
// then on.
using NewCollective = std::unique_ptr<CollectiveRequest>;
void begin_collective(CollectiveRequest &made, MPI_Request *request) MAY_SUSPEND;
Error initialize_collective(NewCollective made, MPI_Request *request);
void ibarrier(Communicator &comm, MPI_Request *request) MAY_SUSPEND;

// Makes the request of a call that already exists.
NewCollective collective_of(Communicator &comm, const CollectiveCall &call, CallForm form);

// Publishes `argument` (for example an address on the caller's stack) and waits until all members
// have arrived. Afterwards argument_of() returns any member's argument, until this member's next
// meet() returns: a member that publishes memory must meet once more before it frees it. An error
// means that some member called another collective operation; then no argument may be used. In a
// communicator that spans node processes the members meet, but do not see each other's arguments:
// use exchange_together() (exchange/process_tree.h).
Error meet(Communicator &comm, const void *argument,
           Collective collective = Collective::Communicator) MAY_SUSPEND;

// Runs MPI_Allreduce between node processes, and MPI_Reduce_scatter(_block), in which each rank
// takes its share.
Flow allreduce_flow(ProcessPart &part) MAY_SUSPEND;

} // namespace thrum
