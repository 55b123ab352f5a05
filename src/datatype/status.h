// What MPI_Status holds beside its public fields (MPI 5.0 section 3.2.5): the bytes of data
// received, and whether the operation was cancelled. MPI_internal[0..1] hold the byte count, [2]
// the flag.
#pragma once
#include "datatype/datatype.h"

#include <cstring>

namespace thrum {

// Set and return the bytes of data that were received.
inline void set_status_bytes(MPI_Status &status, Count size_bytes) {
    std::memcpy(status.MPI_internal, &size_bytes, sizeof size_bytes); // only int-aligned
}

inline Count status_bytes(const MPI_Status &status) {
    Count size_bytes;
    std::memcpy(&size_bytes, status.MPI_internal, sizeof size_bytes);
    return size_bytes;
}

// Set and return whether the operation was cancelled.
inline void set_status_cancelled(MPI_Status &status, bool cancelled) {
    status.MPI_internal[2] = cancelled;
}

inline bool status_cancelled(const MPI_Status &status) {
    return status.MPI_internal[2] != 0;
}

// Sets an empty status (section 3.7.3), except for MPI_ERROR, which only some calls may set.
inline void set_status_empty(MPI_Status &status) {
    status.MPI_SOURCE = MPI_ANY_SOURCE;
    status.MPI_TAG = MPI_ANY_TAG;
    set_status_bytes(status, 0);
    set_status_cancelled(status, false);
}

// Makes `status` (which may be MPI_STATUS_IGNORE) that of a receive of `bytes` bytes. MPI_ERROR is
// left alone, as the standard asks of single completions.
inline void set_status(MPI_Status *status, int source, int tag, Count bytes) {
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    set_status_bytes(*status, bytes);
    set_status_cancelled(*status, false);
}

// Makes `status` (which may be MPI_STATUS_IGNORE) the empty status (section 3.7.3).
inline void set_empty_status(MPI_Status *status) {
    if (status == MPI_STATUS_IGNORE)
        return;
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    status->MPI_ERROR = MPI_SUCCESS;
}

} // namespace thrum
