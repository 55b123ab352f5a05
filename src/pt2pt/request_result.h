// The result of a complete request of any kind.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

// Returns the result of every kind but Operation.
Error result_of_message(Request &request, MPI_Status *status) MAY_SUSPEND;

// Fills in the status, unless it is MPI_STATUS_IGNORE, and returns the operation's error.
inline Error result_of(Request &request, MPI_Status *status) MAY_SUSPEND {
    return request.kind == RequestKind::Operation
               ? static_cast<OperationRequest &>(request).result(status)
               : result_of_message(request, status);
}

} // namespace thrum
