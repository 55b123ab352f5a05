// Files without positions (stream.h) whose ranks are in several node processes. Only the keeper has
// a descriptor; the other processes' data pass through it, into and out of its queue.
#pragma once
#include "io/spanning_access.h"
#include "io/stream.h"

namespace thrum {

// Installs the arrive function of these messages. Called before any process may ask; idempotent.
void begin_stream_messages();

// Does what queue_stream_accesses() does, in any process: processes other than the keeper ask it.
void start_stream_accesses(OpenFile &file, StreamAccess &first) MAY_SUSPEND;

// MPI_File_read_ordered and _write_ordered: does the accesses of all ranks in rank order. `streams`
// has those of this process by local member; nullptr: moves nothing. Blocking: they are done on
// return, and on_done is not called.
Flow stream_across_processes(AccessJoint &joint, SpanningAccess &access,
                             const std::vector<StreamAccess *> &streams) MAY_SUSPEND;

} // namespace thrum
