// How a member's request begins: the path of every non-blocking call and of MPI_Start. It is
// inline, so that an operation without arguments such as MPI_Ibarrier compiles to only the code
// that it needs.
#pragma once
#include "pending/between_processes.h"
#include "pending/buffer_checks.h"
#include "pending/forms.h"

namespace thrum {

// Records that the request differs from what the first member began. Returns false if that was the
// initialisation of a persistent operation, which the request does not join.
[[gnu::cold]] bool note_misfit(CollectiveRequest &request, CollectiveOperation &operation);

// Judges a request whose caller has called more, or fewer, blocking operations before than the
// first member: warns, or gives all members an error.
[[gnu::cold]] void note_order(CollectiveRequest &request, CollectiveOperation &operation);

// Tells tools that the operation begins, and notes from whom the rank will learn.
[[gnu::cold]] void record_begin(const CollectiveRequest &request,
                                const CollectiveOperation &operation);

inline void count_begin(const CollectiveRequest &request, const CollectiveOperation &operation) {
    if (somebody_listens()) [[unlikely]]
        record_begin(request, operation);
}

// Begins the request's part in its operation. If it fits, calls `begins`, which is the one of the
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

// Runs the non-blocking form of an operation (section 6.12). The caller has made the request,
// checked the arguments and written them directly to its `call`: a copy of data that were just
// written would stall the core.
template <class Begin>
[[gnu::always_inline]] inline void begin_nonblocking(CollectiveRequest &made,
                                                     const CollectiveForms &forms, Begin begins,
                                                     MPI_Request *request) MAY_SUSPEND {
    Communicator &comm = *made.comm;
    made.accept_arguments();
    if (has_buffer_checks()) [[unlikely]]
        watch_collective(static_cast<const Request *>(&made), comm, made.call);
    if (comm.context->span) [[unlikely]] {
        count_collective(comm);
        begin_between_processes(made, forms.flow);
    } else {
        const NextOperation next = next_operation(comm, made.announcement, forms);
        count_begin(made, next.operation);
        if (!next.is_in_order) [[unlikely]]
            note_order(made, next.operation);
        begin(made, next.operation, begins);
    }
    *request = &made;
}

// Initialises the persistent form (section 6.13). Returns an error if another member initialises
// something else; then `made` is freed.
Error initialize_persistent(std::unique_ptr<CollectiveRequest> made, const CollectiveForms &forms,
                            MPI_Request *request);

} // namespace thrum
