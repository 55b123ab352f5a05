// Files without positions (stream.h) whose ranks are in several node processes: the keeper alone
// has a descriptor; the others' data go through it, into and out of its queue.
#pragma once
#include "io/spanning_access.h"
#include "io/stream.h"

namespace thrum {

// Makes this process answer. Before any other may ask; idempotent.
void begin_stream_messages();

// As queue_stream_accesses(), in any process: others than the keeper ask it.
void start_stream_accesses(OpenFile &file, StreamAccess &first) MAY_SUSPEND;

// MPI_File_read_ordered and its kin: those of all ranks, in the order of ranks. `streams` by local
// member; nullptr: moves nothing. Blocking; they are done afterwards, and on_done is not called.
Flow stream_across_processes(AccessJoint &joint, SpanningAccess &access,
                             const std::vector<StreamAccess *> &streams) MAY_SUSPEND;

} // namespace thrum
