// The result of a complete request of any kind.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

// Returns the result of every kind but Operation.
Error result_of_message(Request &request, MPI_Status *status) MAY_SUSPEND;

// Fills in the status, unless it is MPI_STATUS_IGNORE, and returns the operation's error.
inline Error result_of(Request &request, MPI_Status *status) MAY_SUSPEND {
    if (request.kind != RequestKind::Operation)
        return result_of_message(request, status);
    auto &operation = static_cast<OperationRequest &>(request);
    Error error = operation.result(status);
    if (operation.buffers) [[unlikely]]
        operation.buffers->end();
    return error;
}

} // namespace thrum
