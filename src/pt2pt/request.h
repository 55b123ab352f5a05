// Request (MPI 5.0 section 3.7) and Message (section 3.8): what a pending operation is.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "datatype/datatype.h"
#include "fiber/completion.h"
#include "match/posted_queue.h"

namespace thrum {
using Request = struct ::MPI_ABI_Request;
using Message = struct ::MPI_ABI_Message;
}
