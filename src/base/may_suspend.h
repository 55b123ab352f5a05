// MAY_SUSPEND marks a function that may suspend the calling task. Clang's thread-safety analysis
// checks the marks (make check, tools/check_clang.py). It follows two capabilities, which
// exist only for it:
//
// - The right to suspend. A marked function requires it, so all its callers are marked, up to an
//   entry: a function that the program, or a function pointer, calls.
// - A spin lock. LockGuard acquires it, and a marked function excludes it.
//
// A pointer to a function loses the mark: a function that calls through one is marked if any of the
// possible callees is. A virtual function is marked if any override is.
#pragma once
#include "base/held_locks.h"

#ifdef __clang__
#define THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define THREAD_SAFETY(attribute)
#endif

namespace thrum {

struct THREAD_SAFETY(capability("right")) RightToSuspend {};

struct THREAD_SAFETY(capability("lock")) SomeSpinLock {};

// Declared only: the analysis needs names.
extern RightToSuspend right_to_suspend;
extern SomeSpinLock some_spin_lock;

// Declares that the calling function may suspend, although it is not marked: it is an entry, called
// by generic code on behalf of a function that may, or it ends the process.
inline void assert_may_suspend() THREAD_SAFETY(assert_capability(right_to_suspend)) {
    refuse_held_locks();
}

// Declares that the marked functions which the caller calls from here on do not suspend. A comment
// at the call says why.
inline void assert_does_not_suspend() THREAD_SAFETY(assert_capability(right_to_suspend)) {}

} // namespace thrum

// No lock may be held, and no address of a thread-local of the worker be kept, across its call.
#define MAY_SUSPEND                                                                                \
    THREAD_SAFETY(requires_capability(::thrum::right_to_suspend))                                  \
    THREAD_SAFETY(locks_excluded(::thrum::some_spin_lock))
