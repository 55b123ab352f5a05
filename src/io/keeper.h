// The keeper of a file whose ranks are in several node processes: the process of rank 0, which owns
// the shared file pointer and the locks of atomic mode. Other processes ask it by active messages.
// It answers on whatever thread receives them: no rank of the keeper has to call MPI.
//
//   another process                      keeper
//   Advance ----------------------------> pointer += ...
//          <-------------------- Advanced (where it was)
//   Lock (a range) ---------------------> RangeLock: now, or when earlier claims are released
//          <---------------------- Locked
//   Unlock -----------------------------> grants the next
//   Stream (an access, data to write) --> spanning_stream.h
//          <--- Streamed (data read)
//
// For a file with all its ranks in one process these functions do the work directly.
//
// When the keeper's process is lost, everybody who waits for an answer gets an error, and so does
// everybody who asks later. The keeper releases what a lost process has locked.
#pragma once
#include "io/open_file.h"

namespace thrum {

// Installs the arrive function of these messages. Called before any process may ask; idempotent.
void begin_keeper_messages();

// Moves the shared pointer on by `etypes`, but not beyond `end`. `before` becomes its old position.
// Fails only if the keeper is lost.
Error advance_shared_pointer(OpenFile &file, Offset etypes, Offset &before,
                             Offset end = INT64_MAX) MAY_SUSPEND;

// Sets `position` to the shared pointer.
inline Error get_shared_pointer(OpenFile &file, Offset &position) MAY_SUSPEND {
    return advance_shared_pointer(file, 0, position);
}

// Sets the shared pointer. Called in a collective call, in each process; only the keeper's copy has
// a meaning. No rank may use the pointer before all processes have done so.
void set_shared_pointer(OpenFile &file, Offset position);

// Ask for and release a range, as RangeLock does. Once the claim is granted, look at
// claim.keeper_is_lost: then the range is not locked.
void ask_range(OpenFile &file, RangeLock::Claim &claim) MAY_SUSPEND;
void release_range(OpenFile &file, RangeLock::Claim &claim) MAY_SUSPEND;

} // namespace thrum
