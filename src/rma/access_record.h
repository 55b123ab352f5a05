// Counts of one-sided communication for tools (MPI_T). Callers use count_rma(), which costs one
// load while no tool listens.
#pragma once
#include "rma/window.h"
#include "trace/recorder.h"

#include <cstddef>

namespace thrum {

// The calls that are counted. The order is that of the variables in access_record.cc.
enum class Counted : unsigned char { Put, Get, Accumulate, Flush, Lock, LockWait };

// Counts for the rank that owns `win`. Call it only while somebody_listens().
[[gnu::cold]] void record_rma(const Window &win, Counted what, size_t size_bytes = 0);

// Counts a finished call, and the bytes that operations have moved.
inline void count_rma(const Window &win, Counted what, size_t size_bytes = 0) {
    if (somebody_listens()) [[unlikely]]
        record_rma(win, what, size_bytes);
}

} // namespace thrum
