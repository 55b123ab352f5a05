// How a member's request begins: the path of every non-blocking call and of MPI_Start. Inline, so
// that an operation without arguments, MPI_Ibarrier, comes down to what it needs.
#pragma once
#include "coll/joint_operations.h"
#include "coll/spanning_request.h"

namespace thrum {

// The request does something else than what the first member began. False: that was the
// initialisation of a persistent operation, of which the request is no part.
[[gnu::cold]] bool note_misfit(CollectiveRequest &request, CollectiveOperation &operation);

// Begins the request's part in its operation: does all the work that can be done now.
[[gnu::always_inline]] inline void begin(CollectiveRequest &request,
                                         CollectiveOperation &operation) MAY_SUSPEND {
    Collective collective = request.call.collective;
    if (!Announcement::agree(operation.said, request.announcement)) [[unlikely]] {
        if (!note_misfit(request, operation))
            return;
        collective = Announcement::collective(operation.said);
    }
    request.operation = &operation;
    if (is_rooted(collective))
        begin_rooted(operation, request);
    else if (is_scan(collective))
        begin_scan(operation, request);
    else if (is_barrier_of_groups(operation))
        meet_other_group(operation, request);
    else
        begin_together(operation, request);
}

// begin_collective().
[[gnu::always_inline]] inline void begin_collective_here(CollectiveRequest &begun,
                                                         MPI_Request *request) MAY_SUSPEND {
    Communicator &comm = *begun.comm;
    begun.accept_arguments();
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        begin_spanning(begun);
    else
        begin(begun, next_operation(comm, begun.announcement));
    *request = &begun;
}

} // namespace thrum
