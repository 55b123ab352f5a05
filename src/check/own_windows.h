// The parts of windows that are a rank's own memory: where a program compiled by `mpicc --check`
// has its loads and stores looked at (check/local_accesses.h), and whether the rank has told others
// something since.
//
// Off without `mpiexec --check`, and for windows whose members are in several processes.
#pragma once
#include "check/active_buffers.h"
#include "check/window_accesses.h"

#include <memory>

namespace thrum {

// A rank's own part of a window.
struct OwnWindow {
    const void *window; // identifies it
    MemorySpan span;
    std::shared_ptr<WindowAccesses> accesses;
    int rank;       // in the window
    CallPlace made; // the call that has made it
    // Returns the epochs in which others may access it now.
    TargetEpochs (*epochs_of)(const void *window);
    std::shared_ptr<WindowAccesses::LocalPart> part = nullptr; // set by begin_own_window()
};

// More of a rank's memory is not looked at: accesses to marked lines are slow.
inline constexpr size_t own_window_bytes_max = size_t{16} << 20;

// The calling rank has got or gives up its part of a window. Its memory is not empty.
void begin_own_window(OwnWindow own);
void end_own_window(const void *window);

namespace detail {
[[gnu::cold]] void note_told();
}

// The calling rank tells others something, by whatever call.
inline void note_told() {
    if (has_buffer_checks()) [[unlikely]]
        detail::note_told();
}

// It does so by MPI_Win_fence or MPI_Win_free of this window (`is_last`).
[[gnu::cold]] void note_told_at_end_of_epoch(const void *window, bool is_last);

// Ranks talk in a way that is not followed: nothing is remembered for the rest of the job.
[[gnu::cold]] void lose_own_accesses();

// Reports windows to whose part of the calling rank this memory belongs, which its program is about
// to free at `place`.
[[gnu::cold]] void check_freed_window(const BufferUse &use, const void *place);

// Looks at an access of the calling rank: a load or store of its program, or the use of an origin
// buffer by its operation `call`.
[[gnu::cold]] void check_own_access(const BufferUse &use, const CallPlace &call);

} // namespace thrum
