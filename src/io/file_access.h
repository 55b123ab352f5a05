// Data access (MPI 5.0 section 14.4): every combination of positioning, synchronism and
// coordination, as three functions of a `Call`.
#pragma once
#include "io/file.h"

namespace thrum {

enum class Positioning : uint8_t { Explicit, Individual, Shared };

// The arguments of MPI_File_read and its kin.
struct AccessCall {
    bool writing;
    Positioning positioning;
    Offset offset; // Positioning::Explicit: in etypes
    void *buffer;  // only read if `writing`
    Count count;
    Datatype &datatype;
};

// MPI_File_read, _write, _at, _shared
Error access(File &file, const AccessCall &call, MPI_Status *status) MAY_SUSPEND;
// ..._all, ..._at_all, ..._ordered (Positioning::Shared)
Error access_all(File &file, Collective collective, const AccessCall &call,
                 MPI_Status *status) MAY_SUSPEND;
// MPI_File_iread ...
Error start_access(File &file, const AccessCall &call, MPI_Request &request) MAY_SUSPEND;
// MPI_File_iread_all, _at_all ...
Error start_access_all(File &file, const AccessCall &call, MPI_Request &request) MAY_SUSPEND;

// ..._begin, ..._end. `collective` is the ..Begin of both.
Error begin_access(File &file, Collective collective, const AccessCall &call) MAY_SUSPEND;
Error end_access(File &file, Collective collective, const void *buffer,
                 MPI_Status *status) MAY_SUSPEND;

} // namespace thrum
