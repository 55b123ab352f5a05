// What tools count of file accesses (MPI_T).
#pragma once
#include "io/file.h"
#include "trace/recorder.h"

namespace thrum {

// Called while somebody_listens(); count for the rank that holds `file`, whoever has done the work.
[[gnu::cold]] void record_access(const File &file, bool writing);
[[gnu::cold]] void record_moved(const File &file, bool writing, Count size_bytes);
[[gnu::cold]] void record_aggregated(const File &file);

// The rank has called for an access.
inline void count_access(const File &file, bool writing) {
    if (somebody_listens()) [[unlikely]]
        record_access(file, writing);
}

// Its data have been moved.
inline void count_moved(const File &file, bool writing, const Moved &moved) {
    if (somebody_listens()) [[unlikely]]
        record_moved(file, writing, moved.file_bytes);
}

// Others', or together with others'.
inline void count_aggregated(const File &file) {
    if (somebody_listens()) [[unlikely]]
        record_aggregated(file);
}

} // namespace thrum
