// Datatype (MPI 5.0 chapter 5): which bytes of a buffer are the message, and of which basic types.
//
// A handle to a user's datatype is the address of this object; predefined ones come from a table
// that all ranks share. Objects are immutable after MPI_Type_commit, except for name and
// attributes. They are reference-counted: the handle, derived datatypes and pending requests each
// hold one reference.
#pragma once
#include "base/object_pool.h"
#include "mpi.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

using Count = MPI_Count;
using Datatype = struct ::MPI_ABI_Datatype;
struct Layout;   // normal form: what pack, unpack and copy walk (datatype/layout.h)
struct Contents; // how it was constructed, for MPI_Type_get_envelope (datatype/contents.h)
struct Attributes;

// How the machine represents a basic datatype. Pair: a value and its index (section 6.9.4).
enum class BasicKind : uint8_t {
    None, // a derived datatype
    Int8,
    Int16,
    Int32,
    Int64,
    Int128,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float,
    Double,
    LongDouble,
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    Complex128,
    Bool,
    Logical8,
    Logical16,
    Logical32,
    Logical64,
    Logical128,
    Byte,
    Opaque, // no arithmetic: characters, MPI_PACKED, MPI_REAL2, MPI_COMPLEX4
    Pair,
};

// The groups of datatypes for which section 6.9.2 defines the operations.
enum class BasicGroup : uint8_t {
    None,
    CInteger,
    FortranInteger,
    FloatingPoint,
    Logical,
    Complex,
    Byte,
    MultiLanguage,
    Pair,
    Character, // MPI_CHAR: no operation is defined on it, but see is_widely_accepted()
};

} // namespace thrum

// A datatype. All sizes and displacements are in bytes. The summary fields (sizes, bounds,
// alignment, basic) are computed once by the constructor (draft.h).
struct MPI_ABI_Datatype {
    static constexpr uint32_t magic_live = 0x74797065;
    uint32_t magic = magic_live; // base/object_pool.h
    bool committed = false;      // MPI_Type_commit was called
    bool predefined = false;     // named or not: cannot be freed
    // One element is size_bytes dense bytes at its address, and elements follow without gaps, so a
    // buffer of n elements is n * size_bytes bytes of memory.
    bool contiguous = false;
    // The type map has lb_marker and ub_marker entries (MPI_Type_create_resized). Only these
    // determine the bounds of datatypes derived from this one.
    bool explicit_bounds = false;
    thrum::Count size_bytes = 0;  // bytes of data in one element
    thrum::Count lower_bound = 0; // section 5.1.6; all in bytes
    thrum::Count extent = 0;      // distance between consecutive elements
    thrum::Count true_lower_bound = 0;
    thrum::Count true_extent = 0;
    uint8_t alignment = 1;                          // the strictest of its basic types; at most 16
    thrum::BasicKind kind = thrum::BasicKind::None; // of a predefined datatype
    thrum::BasicGroup group = thrum::BasicGroup::None;
    uint8_t external_bytes = 0; // of a basic datatype: its size in external32 (section 14.5.2)
    // The word of its signature (datatype/signature.h): datatypes with equal ones match. 0: no
    // data.
    uint32_t signature = 0;
    // The basic type if every element consists of one or more of that type only, else nullptr.
    const MPI_ABI_Datatype *basic = nullptr;
    thrum::Count basic_elements = 0;           // entries of the type map, for MPI_Get_elements
    const thrum::Layout *layout = nullptr;     // nullptr: no data
    const thrum::Contents *contents = nullptr; // nullptr: a named predefined datatype
    thrum::Attributes *attributes = nullptr;   // owned by comm/attributes.h
    char *name = nullptr;                      // nullptr: none set
    std::atomic<int> references{1};
    uint8_t wildcards = 0; // which of its basic types match others (datatype/signature.h)
    // A named basic datatype, if all basic types have its representation, else nullptr.
    const MPI_ABI_Datatype *element = nullptr;
    uint64_t sequence[2] = {0, 0}; // hashes of its signature, by TypeRules
};

namespace thrum {

// The named predefined datatypes, by the value of their constant; entries between them are not
// `predefined`. One table for all ranks, ready before any constructor runs.
inline constexpr uintptr_t handle_constants_end = 4096; // section 20.3.3
inline constexpr uintptr_t first_predefined_datatype = 512;
inline constexpr uintptr_t predefined_datatype_count = 236;

// The table of predefined datatypes, built at compile time.
struct PredefinedDatatypes {
    Datatype types[predefined_datatype_count];
    constexpr PredefinedDatatypes();
};

extern PredefinedDatatypes predefined_datatypes;

// Their addresses, or nullptr between them, so that a load finds one. Hidden for the message path.
struct PredefinedDatatypeHandles {
    Datatype *types[predefined_datatype_count] = {};
    constexpr PredefinedDatatypeHandles();
};

[[gnu::visibility("hidden")]] extern const PredefinedDatatypeHandles predefined_datatype_handles;

// Returns the datatype of a handle, or nullptr if it is MPI_DATATYPE_NULL, an unknown constant or
// freed.
inline Datatype *find_datatype(MPI_Datatype handle) {
    auto value = reinterpret_cast<uintptr_t>(handle);
    if (value >= handle_constants_end)
        return is_live(handle) ? handle : nullptr;
    // wraps around below: never less than the count
    uintptr_t index = value - first_predefined_datatype;
    return index < predefined_datatype_count ? predefined_datatype_handles.types[index] : nullptr;
}

// Returns the handle: a constant for named predefined datatypes, the address for all others.
MPI_Datatype handle_of(const Datatype &datatype);

// Life of datatypes. A new one has no data, and its first reference belongs to the caller; the last
// release() frees it. Both do nothing for predefined datatypes.
Datatype *new_datatype();
void retain(Datatype &datatype);
void release(Datatype &datatype);

// Copies the data of source_count elements at `source` to `destination`, typed to typed, in one
// pass without a buffer. Copies at most as many bytes as both sides hold and returns their number.
size_t copy_typed(const void *source, Count source_count, const Datatype &source_type,
                  void *destination, Count destination_count, const Datatype &destination_type);

// Writes bytes [offset, offset + size_bytes) of the packed form of `count` elements at `buffer` to
// `packed`.
void pack_bytes(const void *buffer, Count count, const Datatype &datatype, size_t offset,
                size_t size_bytes, void *packed);
// Does the inverse of pack_bytes(): the bytes of `packed` become these bytes of the packed form.
void unpack_bytes(const void *packed, size_t offset, size_t size_bytes, void *buffer, Count count,
                  const Datatype &datatype);

// Returns the bytes of data in `count` elements.
inline size_t data_bytes(Count count, const Datatype &datatype) {
    return static_cast<size_t>(count) * static_cast<size_t>(datatype.size_bytes);
}

} // namespace thrum
