// Files without positions (MPI_MODE_SEQUENTIAL: pipes, terminals; MPI 5.0 section 14.6.2). All
// accesses use the shared file pointer. They form one queue, and an I/O thread does them one after
// the other, since each may have to wait for the outside world.
#pragma once
#include "io/access.h"
#include "io/io_threads.h"

namespace thrum {

// One access in the queue. It must live until `on_done` is called.
struct StreamAccess {
    Access *access = nullptr;
    size_t done_bytes = 0;                     // moved; set before `on_done` is called
    void (*on_done)(void *argument) = nullptr; // called on the I/O thread; may free the access
    void *argument = nullptr;
    StreamAccess *next = nullptr; // in the queue
};

// Returns an empty queue. The pointer is shared only because its type is private to stream.cc.
std::shared_ptr<StreamQueue> new_stream_queue();

// Appends a list of accesses, linked by `next`, to the file's queue, with no other access in
// between. Called in the keeper's process only (start_stream_accesses() in any).
void queue_stream_accesses(OpenFile &file, StreamAccess &first) MAY_SUSPEND;
// Returns how many bytes have been moved: the position of the stream. In the keeper's process only.
Offset stream_bytes_moved(OpenFile &file);

} // namespace thrum
