// How communicator objects are made and freed.
#pragma once
#include "comm/communicator.h"

namespace thrum {

// Frees the object with the last reference.
void release(Communicator &comm);

// A new object for `process`, member `rank` of `group`. Takes a reference to each group, and one
// of the context's members. Inherits nothing: errhandler is MPI_ERRORS_ARE_FATAL.
Communicator *new_communicator(Process &process, Context &context, Group &group, int rank,
                               Group *remote_group = nullptr, int side = 0);
// Says that `comm` is derived from `session` (nullptr: from none).
void set_session(Communicator &comm, Session *session);

// Gives up `members` objects of a context that were never made.
void abandon(Context &context, int members);

// Sets what becomes of a communicator's attached buffer at its end. The layer pt2pt calls it in a
// constructor of its own.
void set_orphan_buffer_function(void (*function)(AttachedBuffer &buffer));
// Sets how a context's unmatched partitioned operations are freed; called likewise.
void set_unmatched_channels_function(void (*function)(UnmatchedChannels *unmatched));

} // namespace thrum
