// Buffered mode (MPI 5.0 section 3.6): sends whose data waits in a buffer that the user has
// attached to the process or to a communicator.
#pragma once
#include "pt2pt/outgoing.h"

namespace thrum {

struct Process;
struct AttachedBuffer;
using BufferPlace = ExtensionPlace<AttachedBuffer>;

// Where the buffer attached to a process, a session or a communicator is.
BufferPlace buffer_of(const Process &process);
BufferPlace buffer_of(const Session &session);
BufferPlace buffer_of(const Communicator &comm);

// Copies the message into an attached buffer: `request` sends it from there, and is completed by
// complete_attached_send(). MPI_ERR_BUFFER if there is no room.
Error copy_to_attached_buffer(const Outgoing &out, Mailbox &receiver, Communicator &comm,
                              SendRequest *&request);

// Called by a receiver when it has copied the data of such a send. The send is gone afterwards.
void complete_attached_send(SendRequest &send);

// `buffer` may be MPI_BUFFER_AUTOMATIC.
Error attach_buffer(BufferPlace place, void *buffer, Count size_bytes);
// Waits until all messages in it are delivered, then gives it back.
Error detach_buffer(BufferPlace place, void **buffer, Count *size_bytes) MAY_SUSPEND;
void flush_buffer(BufferPlace place) MAY_SUSPEND;
void iflush_buffer(BufferPlace place, MPI_Request *request);

// For MPI_Finalize, which detaches (section 3.6).
void finish_attached_buffers(Process &process) MAY_SUSPEND;

} // namespace thrum
