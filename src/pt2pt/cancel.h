// MPI_Cancel (MPI 5.0 section 3.8.4).
#pragma once
#include "base/may_suspend.h"
#include "pt2pt/request.h"

namespace thrum {

// Cancels a pending operation if nothing has matched it yet; the request then completes as
// cancelled. Otherwise it completes normally. Returns an error only from the cancel function of a
// generalized request, or of an operation that cannot be cancelled.
Error cancel(Request &request) MAY_SUSPEND;

} // namespace thrum
