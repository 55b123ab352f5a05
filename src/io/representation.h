// Data representations of files (MPI 5.0 section 14.5): how the basic elements of a datatype look
// in the file, and which datatype describes a file in that representation.
//
// "native" and "internal" are the bytes of memory; "external32" is datatype/external32.h; others
// are registered by the program (MPI_Register_datarep), for the calling rank only. The program's
// functions are called on the thread of the rank that registered them.
#pragma once
#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/op.h" // AnyFunction
#include "fiber/task.h"

#include <string>

namespace thrum {

// Immutable once made. Views keep its address.
struct Representation {
    enum class Kind : uint8_t { Native, External32, User };
    Kind kind = Kind::Native;
    std::string name;
    AnyFunction read{};  // the program's conversion function, or its large-count form
    AnyFunction write{}; // for both, null means: no conversion
    MPI_Datarep_extent_function *extent = nullptr;
    void *extra_state = nullptr;
};

extern const Representation native_representation;
extern const Representation internal_representation;
extern const Representation external32_representation;

// Sets `size_bytes` to the size of `count` elements in the file.
Error bytes_in_file(const Representation &representation, const Datatype &datatype, Count count,
                    Count &size_bytes) MAY_SUSPEND;
// Sets `result` to what `datatype` is in a file: basic elements have the size of the
// representation, displacements in elements scale with them, displacements in bytes stay. A new
// reference for the caller.
Error datatype_in_file(const Representation &representation, Datatype &datatype,
                       Datatype *&result) MAY_SUSPEND;

// Returns whether data that are written, or read, need a conversion.
inline bool converts(const Representation &representation, bool writing) {
    if (representation.kind != Representation::Kind::User)
        return representation.kind == Representation::Kind::External32;
    return (writing ? representation.write : representation.read).function != nullptr;
}

// Both convert `count` elements of the buffer that begins at `buffer`, after `done` elements that
// earlier calls converted for the same access (section 14.5.3: position). `bytes` has the data as
// they are in the file. Both fail if the program's function does.
Error convert_to_file(const Representation &representation, const void *buffer, Count done,
                      Count count, Datatype &datatype, char *bytes) MAY_SUSPEND;
// `size_bytes` bytes have been read, perhaps fewer than the elements need. `converted_bytes`
// becomes the number of bytes of memory that they have filled.
Error convert_from_file(const Representation &representation, const char *bytes, Count size_bytes,
                        void *buffer, Count done, Count count, Datatype &datatype,
                        Count &converted_bytes) MAY_SUSPEND;

} // namespace thrum
