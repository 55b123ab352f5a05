// The result of a complete request, of whatever kind.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

// Of every kind but Operation.
Error result_of_message(Request &request, MPI_Status *status) MAY_SUSPEND;

// Fills in its status, if asked for, and tells whether it has failed.
inline Error result_of(Request &request, MPI_Status *status) MAY_SUSPEND {
    return request.kind == RequestKind::Operation
               ? static_cast<OperationRequest &>(request).result(status)
               : result_of_message(request, status);
}

} // namespace thrum
