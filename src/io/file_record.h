// Counts of file accesses for tools (MPI_T variables of category "files") and for the observer.
#pragma once
#include "io/file.h"
#include "trace/recorder.h"

namespace thrum {

// Only called while somebody_listens(). They count for the rank that holds `file`, whichever thread
// did the work.
[[gnu::cold]] void record_call(const File &file);
[[gnu::cold]] void record_access(const File &file, bool writing);
[[gnu::cold]] void record_moved(const File &file, bool writing, Count size_bytes);
[[gnu::cold]] void record_aggregated(const File &file);

// Counts the time of the rank's call for the file.
inline void count_call(const File &file) {
    if (somebody_listens()) [[unlikely]]
        record_call(file);
}

// Counts a call of the rank that reads or writes.
inline void count_access(const File &file, bool writing) {
    if (somebody_listens()) [[unlikely]]
        record_access(file, writing);
}

// Counts the bytes that an access has moved.
inline void count_moved(const File &file, bool writing, const Moved &moved) {
    if (somebody_listens()) [[unlikely]]
        record_moved(file, writing, moved.file_bytes);
}

// Counts an access whose data aggregators moved.
inline void count_aggregated(const File &file) {
    if (somebody_listens()) [[unlikely]]
        record_aggregated(file);
}

} // namespace thrum
