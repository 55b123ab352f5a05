// The keeper: of a file whose ranks are in several node processes, the process of rank 0 keeps the
// shared file pointer and the locks of atomic mode. The others ask it, by active messages, which it
// answers on whatever thread takes them in: no rank of the keeper has to do anything.
//
//   another process                      keeper
//   Advance ----------------------------> pointer += ...
//          <-------------------- Advanced (where it was)
//   Lock (a range) ---------------------> RangeLock: now, or when those before have gone
//          <---------------------- Locked
//   Unlock -----------------------------> the next
//   Stream (an access, data to write) --> spanning_stream.h
//          <--- Streamed (data read)
//
// In files with all their ranks in one process these functions do it there.
//
// When the keeper's process is lost, who waits for an answer is told so, and who asks later. The
// keeper releases what a lost process has locked.
#pragma once
#include "io/open_file.h"

namespace thrum {

// Makes this process answer. Before any other may ask; idempotent.
void begin_keeper_messages();

// Moves the shared pointer on by `etypes`, but not beyond `end`; `before` is where it was.
Error advance_shared_pointer(OpenFile &file, Offset etypes, Offset &before,
                             Offset end = INT64_MAX) MAY_SUSPEND;

inline Error get_shared_pointer(OpenFile &file, Offset &position) MAY_SUSPEND {
    return advance_shared_pointer(file, 0, position);
}

// In a collective call, by a rank in each process; nobody may use the pointer before all have done.
void set_shared_pointer(OpenFile &file, Offset position);

// As RangeLock's; look at claim.keeper_is_lost once it is granted.
void ask_range(OpenFile &file, RangeLock::Claim &claim) MAY_SUSPEND;
void release_range(OpenFile &file, RangeLock::Claim &claim) MAY_SUSPEND;

} // namespace thrum
