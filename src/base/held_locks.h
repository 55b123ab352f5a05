// Held locks: how many spin locks the calling task holds. Builds with THRUM_COUNT_LOCKS count them
// (CMake's Debug, and so the builds with sanitizers) and refuse to suspend with one. In other
// builds all of this is empty.
//
// The count is a thread-local: of the fiber, which has thread-local storage of its own; in
// sanitizer builds of the worker's thread, where it is 0 whenever a fiber leaves it.
#pragma once

namespace thrum {

#ifdef THRUM_COUNT_LOCKS

// Not inline: a function that suspends must not keep the address of a thread-local.
void count_lock();
void discount_lock();
int held_locks();
// Aborts with a message if the caller, which may suspend, holds a spin lock. A task that waits for
// the lock keeps its worker busy, on which the holder may have to run.
void refuse_held_locks();
// Called by a task that ends the process, which never releases its locks.
void forget_held_locks();

#else

inline void count_lock() {}

inline void discount_lock() {}

inline void refuse_held_locks() {}

inline void forget_held_locks() {}

#endif

} // namespace thrum
