// What tools count of one-sided communication (MPI_T).
#pragma once
#include "rma/window.h"
#include "trace/recorder.h"

#include <cstddef>

namespace thrum {

enum class Counted : unsigned char { Put, Get, Accumulate, Flush, Lock, LockWait };

// Called while somebody_listens(); counts for the rank that holds `win`.
[[gnu::cold]] void record_rma(const Window &win, Counted what, size_t size_bytes = 0);

// The rank has done it; operations have moved so many bytes.
inline void count_rma(const Window &win, Counted what, size_t size_bytes = 0) {
    if (somebody_listens()) [[unlikely]]
        record_rma(win, what, size_bytes);
}

} // namespace thrum
