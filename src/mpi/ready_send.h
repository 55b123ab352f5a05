// Ready sends (MPI 5.0 section 3.4).
#pragma once
#include "comm/communicator.h"
#include "pt2pt/request.h"

namespace thrum::mpi {

// Checks that a receive is posted for a ready send. A send that comes too early is tolerated: it is
// sent like any other message.
Error check_ready(int dest, int tag, Communicator &comm);

// Checks the start of a persistent request, which may be a ready send.
inline Error check_ready_start(const Request &request) {
    if (request.kind != RequestKind::Send || !request.persistent || request.active ||
        static_cast<const SendRequest &>(request).mode != SendMode::Ready)
        return success;
    return check_ready(request.source, request.tag, *request.comm); // dest
}

} // namespace thrum::mpi
