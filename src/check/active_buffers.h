// The buffers of a rank's active operations, and what the program may not do with them before the
// operation is complete (MPI 5.0 sections 3.7.2, 3.7.3, 6.12): change one that is sent, change or
// read one that is received. Under `mpiexec --check`
//
// - a fingerprint shows whether the contents have changed between two moments at which only the
//   program could change them, and
// - the buffer of each call is compared with those of the active operations.
//
// An operation is active until the call that completes it, also if its data were copied long ago: a
// program must not rely on that. The owner of a use is the address of its request. All functions
// may be called by any thread.
#pragma once
#include "check/buffer_use.h"
#include "comm/process.h"

namespace thrum {

// Written by begin_buffer_checks(). Hidden: the message path reads it without a detour.
[[gnu::visibility("hidden")]] extern constinit bool checks_buffers;

// Returns whether buffers are checked. Then somebody_listens() is true, too, and one question can
// replace both. Everything below is called only if buffers are checked.
inline bool has_buffer_checks() {
    return checks_buffers;
}

// Begins to check buffers, if the settings say so. Called before ranks run.
void begin_buffer_checks();

// What happens to the contents of a buffer while its operation is active.
enum class BufferContents : uint8_t {
    Fixed,   // nothing: they are sent
    Awaited, // one message replaces them: note_arrival() and note_written() are called
    Varying, // the library may write to them at any time
};

// One-sided operations that one call completes: those at a target of a window.
struct UseGroup {
    const void *window = nullptr; // nullptr: the operation is completed by its owner alone
    int target = 0;
};

// Records that the calling rank's present call has begun to use a buffer. Reports active operations
// that it disturbs.
[[gnu::cold]] void begin_use(const void *owner, const BufferUse &use, BufferContents contents,
                             const UseGroup &group = {});

// Reports the active operations of the calling rank that its present call has disturbed.
// `owner`: the request whose own uses do not count, or nullptr.
[[gnu::cold]] void check_use(const BufferUse &use, const void *owner = nullptr);

// Watches the buffer of the calling rank's present blocking call for a moment, if other threads of
// the rank may use it (check/moment.h).
[[gnu::cold]] void watch_for_a_moment(const BufferUse &use) MAY_SUSPEND;

// Reports the active operations of the calling rank that a load or store of the program disturbs;
// `place`: its address in the program. Does nothing if a signal has interrupted another look.
[[gnu::cold]] void check_program_access(const BufferUse &use, const void *place);

// Does the same for memory that the program is about to free.
[[gnu::cold]] void check_freed_buffer(const BufferUse &use, const void *place);

// Notes that the message is about to be written to the buffer, and that it has been. Called by any
// rank; `process` is that of the receiver.
[[gnu::cold]] void note_arrival(const Process &process, const void *owner);
[[gnu::cold]] void note_written(const Process &process, const void *owner);

// Ends the uses of an operation that the calling rank's present call completes. Reports buffers
// that were changed.
[[gnu::cold]] void end_uses(const void *owner);

// Does the same for the calling rank's operations of a window at `target` (negative: at all).
[[gnu::cold]] void end_group(const void *window, int target);

// Ends the uses of an operation without a look: the program gets to know nothing of its completion.
[[gnu::cold]] void forget_uses(const void *owner);

} // namespace thrum
