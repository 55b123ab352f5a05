// Data access (MPI 5.0 section 14.4): every combination of positioning, synchronism and
// coordination is one of three functions, with an AccessCall as argument. mpi/io_access.cc maps the
// MPI functions to them.
#pragma once
#include "io/file.h"

namespace thrum {

// Where an access begins: at an offset, at the individual file pointer, or at the shared one.
enum class Positioning : uint8_t { Explicit, Individual, Shared };

// The arguments of MPI_File_read and similar functions, already checked as far as the entry point
// can.
struct AccessCall {
    bool writing;
    Positioning positioning;
    Offset offset; // Positioning::Explicit: in etypes
    void *buffer;  // only read if `writing`
    Count count;
    Datatype &datatype;
};

// MPI_File_read, _write, _at, _shared: blocking and independent. Errors are those of the caller
// only; a short read is not an error.
Error access(File &file, const AccessCall &call, MPI_Status *status) MAY_SUSPEND;
// MPI_File_read_all and _write_all, _at_all, _ordered (Positioning::Shared): blocking and
// collective. All ranks get an error that one of them meets while it moves data for others; an
// error in its arguments concerns the rank alone.
Error access_all(File &file, Collective collective, const AccessCall &call,
                 MPI_Status *status) MAY_SUSPEND;
// MPI_File_iread and similar functions: the request is made, and may be complete on return.
Error start_access(File &file, const AccessCall &call, MPI_Request &request) MAY_SUSPEND;
// MPI_File_iread_all, _at_all and the writing forms: the access starts when the last rank of the
// file has called.
Error start_access_all(File &file, const AccessCall &call, MPI_Request &request) MAY_SUSPEND;

// The split forms: ..._begin and ..._end. `collective` is the ..Begin of both. The end call fails
// if another operation, or none, was begun on the file.
Error begin_access(File &file, Collective collective, const AccessCall &call) MAY_SUSPEND;
Error end_access(File &file, Collective collective, const void *buffer,
                 MPI_Status *status) MAY_SUSPEND;

} // namespace thrum
