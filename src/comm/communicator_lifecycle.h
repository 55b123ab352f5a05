// Creates and frees communicator objects.
#pragma once
#include "comm/communicator.h"

namespace thrum {

// Releases a reference; the last one frees the object.
void release(Communicator &comm);

// Makes an object for `process`, member `rank` of `group`, with one reference. Takes a reference to
// each group, and one of the context's members. Inherits nothing: errhandler is
// MPI_ERRORS_ARE_FATAL.
Communicator *new_communicator(Process &process, Context &context, Group &group, int rank,
                               Group *remote_group = nullptr, int side = 0);
// Records that `comm` is derived from `session` (nullptr: from none), and keeps the session alive.
void set_session(Communicator &comm, Session *session);

// Releases `members` members of a context whose objects were never made. The last one frees it.
void abandon(Context &context, int members);

} // namespace thrum
