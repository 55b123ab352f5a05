// The buffers of requests under `mpiexec --check` (check/active_buffers.h).
#pragma once
#include "check/active_buffers.h"
#include "pt2pt/outgoing.h"
#include "pt2pt/request.h"

namespace thrum {

inline BufferUse use_of(const Request &request, BufferAccess access) {
    return {request.buffer, request.count, request.datatype, access};
}

// Begins to watch the buffer of a receive that is about to be posted.
inline void watch_receive(const ReceiveRequest &request) {
    if (has_buffer_checks()) [[unlikely]]
        begin_use(&static_cast<const Request &>(request), use_of(request, BufferAccess::Write),
                  BufferContents::Awaited);
}

// Notes that the message of a receive of the calling rank has been written to its buffer.
inline void watch_written(const ReceiveRequest &request) {
    if (has_buffer_checks()) [[unlikely]]
        note_written(*request.comm->process, &static_cast<const Request &>(request));
}

// Begins to watch the buffer of a send that has been started. `owner` is its request.
inline void watch_send(const Request &owner, const SourceData &data) {
    if (has_buffer_checks() && !data.packed) [[unlikely]]
        begin_use(&owner, {data.buffer, data.count, data.datatype, BufferAccess::Read},
                  BufferContents::Fixed);
}

// Ends the watch of a complete request, which the calling rank's present call completes, or shows
// to be complete; that may take a moment (check/moment.h).
[[gnu::cold]] void end_watch_of(const Request &request) MAY_SUSPEND;

inline void end_watch(const Request &request) MAY_SUSPEND {
    if (has_buffer_checks()) [[unlikely]]
        end_watch_of(request);
}

// Ends the watch of a request that is freed, complete or not.
[[gnu::cold]] void forget_watch_of(const Request &request);

inline void forget_watch(const Request &request) {
    if (has_buffer_checks()) [[unlikely]]
        forget_watch_of(request);
}

} // namespace thrum
