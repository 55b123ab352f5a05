// Buffered mode (MPI 5.0 section 3.6): sends whose data are in a buffer that the user has attached
// to the process, to a session or to a communicator.
#pragma once
#include "pt2pt/outgoing.h"

namespace thrum {

struct Process;
struct AttachedBuffer;
using BufferPlace = ExtensionPlace<AttachedBuffer>;

// Return the place of the buffer attached to a process, a session or a communicator; it may be
// empty.
BufferPlace buffer_of(const Process &process);
BufferPlace buffer_of(const Session &session);
BufferPlace buffer_of(const Communicator &comm);

// Copies the message into an attached buffer. `request` sends it from there, and is completed by
// complete_attached_send(), not by its completion. Returns MPI_ERR_BUFFER if no buffer is attached,
// or if it has no room.
Error copy_to_attached_buffer(const Outgoing &out, Mailbox &receiver, Communicator &comm,
                              SendRequest *&request);

// Returns MPI_ERR_BUFFER if no buffer is attached, or if it has no room for such a message even
// when it is empty (under --check with MPI_BSEND_OVERHEAD).
Error check_attached_buffer(const Communicator &comm, size_t size_bytes);

// Called by a receiver when it has copied the data of such a send. Frees the send, and completes
// flushes that waited for it.
void complete_attached_send(SendRequest &send);

// Attaches `buffer` of `size_bytes`, or memory from malloc with MPI_BUFFER_AUTOMATIC. Returns
// MPI_ERR_BUFFER if one is attached already.
Error attach_buffer(BufferPlace place, void *buffer, Count size_bytes);
// Waits until all messages in the buffer are delivered, then returns it to the user.
Error detach_buffer(BufferPlace place, void **buffer, Count *size_bytes) MAY_SUSPEND;
// Waits until all messages that are in the buffer are delivered.
void flush_buffer(BufferPlace place) MAY_SUSPEND;
// Does that, and detaches the buffer if one is attached: the end of its owner (section 3.6).
void finish_buffer(BufferPlace place) MAY_SUSPEND;
// Makes a request that is complete when they are. Without a buffer it is complete at once.
void iflush_buffer(BufferPlace place, MPI_Request *request);

} // namespace thrum
