// What a buffer is in the program against the datatype with which it is passed (MPI 5.0 section
// 3.3.1): a double may not be sent as MPI_INT. `mpicc --check` describes the program's types
// (compiler/check/types_gcc.cc).
//
// Accepted are: bytes and characters, in the program and in datatypes, which may hold anything;
// complex numbers as pairs of reals, and the opposite; enumerations as integers.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// What a call of the program is about to pass.
struct ProgramBuffer {
    const void *address;
    size_t size_bytes; // as far as the compiler knows it, or the largest number
    Count count;       // elements, or -1: not known
    const Datatype *type;
    int ranks;               // has `count` elements for each of them
    const char *description; // of the program's type
    const void *place;       // of the call
};

// Reports a buffer whose datatype differs from the program's type, or that is shorter than count
// and datatype say. Each line is reported once.
[[gnu::cold]] void check_program_buffer(const ProgramBuffer &buffer);

} // namespace thrum
