// How a member's request begins: the path of every non-blocking call and of MPI_Start. Inline, so
// that an operation without arguments, MPI_Ibarrier, comes down to what it needs.
#pragma once
#include "pending/between_processes.h"
#include "pending/forms.h"

namespace thrum {

// The request does something else than the first member began. False: that was the initialisation
// of a persistent operation, of which the request is no part.
[[gnu::cold]] bool note_misfit(CollectiveRequest &request, CollectiveOperation &operation);

// Begins the request's part in its operation, by the function `begins` if it fits: that of the
// operation's forms.
template <class Begin>
[[gnu::always_inline]] inline void begin(CollectiveRequest &request, CollectiveOperation &operation,
                                         Begin begins) MAY_SUSPEND {
    const bool fits = Announcement::agree(operation.said, request.announcement);
    if (!fits && !note_misfit(request, operation)) [[unlikely]]
        return;
    request.operation = &operation;
    if (fits) [[likely]]
        begins(operation, request);
    else
        operation.forms->begin(operation, request);
}

// The non-blocking form of an operation (section 6.12). The caller has made the request, and
// checked the arguments and written them to its `call`: a copy made at once of what was written a
// moment ago stalls.
template <class Begin>
[[gnu::always_inline]] inline void begin_nonblocking(CollectiveRequest &made,
                                                     const CollectiveForms &forms, Begin begins,
                                                     MPI_Request *request) MAY_SUSPEND {
    Communicator &comm = *made.comm;
    made.accept_arguments();
    count_collective(comm);
    if (comm.context->span) [[unlikely]]
        begin_between_processes(made, forms.flow);
    else
        begin(made, next_operation(comm, made.announcement, forms), begins);
    *request = &made;
}

// The initialisation of the persistent form (section 6.13).
Error initialize_persistent(std::unique_ptr<CollectiveRequest> made, const CollectiveForms &forms,
                            MPI_Request *request);

} // namespace thrum
