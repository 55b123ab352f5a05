// Files without positions (MPI_MODE_SEQUENTIAL: pipes, terminals; MPI 5.0 section 14.6.2). All
// accesses use the shared file pointer: they form one queue, and an I/O thread does them one after
// the other, as each may have to wait for the world outside.
#pragma once
#include "io/access.h"
#include "io/io_threads.h"

namespace thrum {

struct StreamAccess {
    Access *access = nullptr;
    size_t done_bytes = 0;                     // moved; written before `on_done`
    void (*on_done)(void *argument) = nullptr; // on the I/O thread
    void *argument = nullptr;
    StreamAccess *next = nullptr;
};

std::shared_ptr<StreamQueue> new_stream_queue();

// Adds accesses, linked by `next` up to a null pointer, to the end of the file's queue, without
// another's in between. Called in the keeper's process only (start_stream_accesses() in any).
void queue_stream_accesses(OpenFile &file, StreamAccess &first) MAY_SUSPEND;
// Bytes moved so far: where the stream stands. Of files that are kept in this process.
Offset stream_bytes_moved(OpenFile &file);

} // namespace thrum
