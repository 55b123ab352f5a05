// Ranks with a C-library state, but without images, for unit tests of the families.
#pragma once
#include "fiber/sanitizer.h"
#include "libc/libc_state.h"
#include "rank/testing/run_ranks.h"

#include <functional>

namespace thrum::testing {

// For ranks that need thread-local storage of their own, which fibers have only without sanitizers.
inline constexpr TeamOptions own_thread_locals = {.workers = 1,
                                                  .os_threads = !sanitizer::own_thread_blocks};

// Runs function(rank) as each of `count` ranks. Each begins with `environment` (ended by a null
// pointer). World rank 0 is none of them: it would see the variables of the test's own process.
void run_ranks_with_libc(int count, const std::function<void(Rank &)> &function,
                         char *const *environment = nullptr,
                         const TeamOptions &options = {.workers = 1});

// Returns what programs get for the function `name` of the C library. Only families of files that
// the test refers to are linked.
void *find_override(const char *name);

template <class Function>
Function *override_of(const char *name) {
    return reinterpret_cast<Function *>(find_override(name));
}

} // namespace thrum::testing
