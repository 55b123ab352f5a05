// Data representations of files (MPI 5.0 section 14.5): how the basic elements of a datatype look
// in the file, and what that makes of datatypes that describe a file's layout.
//
// "native" and "internal" are the bytes of memory; "external32" is datatype/external32.h; others
// are registered by the program (MPI_Register_datarep), for the calling rank only.
#pragma once
#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/op.h" // AnyFunction
#include "fiber/task.h"

#include <string>

namespace thrum {

struct Representation {
    enum class Kind : uint8_t { Native, External32, User };
    Kind kind = Kind::Native;
    std::string name;
    AnyFunction read{}; // of the user: MPI_Datarep_conversion_function, or its large-count twin
    AnyFunction write{};
    MPI_Datarep_extent_function *extent = nullptr;
    void *extra_state = nullptr;
};

extern const Representation native_representation;
extern const Representation internal_representation;
extern const Representation external32_representation;

// Bytes that `count` elements take in a file.
Error bytes_in_file(const Representation &representation, const Datatype &datatype, Count count,
                    Count &size_bytes) MAY_SUSPEND;
// The datatype that `datatype` is in a file: basic elements have the size of the representation,
// displacements that count elements are scaled with them, displacements in bytes stay. A new
// reference.
Error datatype_in_file(const Representation &representation, Datatype &datatype,
                       Datatype *&result) MAY_SUSPEND;

// Whether data that are written, or read, must be converted on their way.
inline bool converts(const Representation &representation, bool writing) {
    if (representation.kind != Representation::Kind::User)
        return representation.kind == Representation::Kind::External32;
    return (writing ? representation.write : representation.read).function != nullptr;
}

// Both convert `count` elements at `buffer`, of which `done` were converted by earlier calls for
// the same access (section 14.5.3: position). `bytes` holds what is, or comes, in the file.
Error convert_to_file(const Representation &representation, const void *buffer, Count done,
                      Count count, Datatype &datatype, char *bytes) MAY_SUSPEND;
// `size_bytes` bytes have been read, perhaps fewer than the elements have; `converted_bytes`
// becomes how many bytes of memory they have filled.
Error convert_from_file(const Representation &representation, const char *bytes, Count size_bytes,
                        void *buffer, Count done, Count count, Datatype &datatype,
                        Count &converted_bytes) MAY_SUSPEND;

} // namespace thrum
