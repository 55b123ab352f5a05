// Whether several threads may be in MPI calls of one rank. Until then a rank's own objects need no
// locks against itself.
#pragma once
#include <atomic>

namespace thrum {

namespace detail {

// Hidden: short paths read it without a detour.
[[gnu::visibility("hidden")]] extern std::atomic<bool> ranks_have_threads;

} // namespace detail

// Returns whether a rank has made a thread, or a thread that no rank has made has called MPI. Such
// a thread (of a library that all ranks share) is known only from its first call on.
inline bool ranks_have_threads() {
    // relaxed: the thread that makes the first other thread of its rank has said so itself.
    return detail::ranks_have_threads.load(std::memory_order_relaxed);
}

// Says so, for good. Called by a rank's thread before it makes another one.
inline void note_threads_of_ranks() {
    detail::ranks_have_threads.store(true, std::memory_order_relaxed);
}

} // namespace thrum
