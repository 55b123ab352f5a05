// Datatype (MPI 5.0 chapter 5): which bytes of a buffer are the message, and of which basic types.
//
// A handle to a user's datatype is the address of this object; predefined ones come from a table
// that all ranks share. Objects are immutable after MPI_Type_commit but for name and attributes, and
// reference-counted: the handle, derived datatypes and pending requests each hold one.
#pragma once
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

} // namespace thrum

struct MPI_ABI_Datatype {
    thrum::Count size_bytes = 0;  // data in one element
    thrum::Count lower_bound = 0; // section 5.1.6; all in bytes
    thrum::Count extent = 0;
    thrum::Count true_lower_bound = 0;
    thrum::Count true_extent = 0;
    bool committed = false;
    bool predefined = false;
    // One element is size_bytes dense bytes at its address, and elements follow each other without
    // gaps: a buffer of n elements is n * size_bytes bytes of memory.
    bool contiguous = false;
    // The basic type if every element is some number of that one basic type, else nullptr.
    const MPI_ABI_Datatype *basic = nullptr;
    const thrum::Layout *layout = nullptr;
    const thrum::Contents *contents = nullptr;
    thrum::Attributes *attributes = nullptr; // belongs to comm/attributes.h
    char *name = nullptr;                    // nullptr: none set
    std::atomic<int> references{1};
};

namespace thrum {

// The datatype of a handle, or nullptr if it is MPI_DATATYPE_NULL or an unknown constant.
Datatype *find_datatype(MPI_Datatype handle);

void retain(Datatype &datatype);  // a no-op for predefined datatypes
void release(Datatype &datatype); // frees it with the last reference

// Copies the data of source_count elements at `source` to `destination`, typed to typed, in one
// pass without a buffer; at most as many bytes as both sides hold. Returns the bytes copied.
size_t copy_typed(const void *source, Count source_count, const Datatype &source_type,
                  void *destination, Count destination_count, const Datatype &destination_type);

// Packs bytes [offset, offset + size_bytes) of the packed form of `count` elements at `buffer`.
void pack_bytes(const void *buffer, Count count, const Datatype &datatype, size_t offset,
                size_t size_bytes, void *packed);
// The inverse of pack_bytes.
void unpack_bytes(const void *packed, size_t offset, size_t size_bytes, void *buffer, Count count,
                  const Datatype &datatype);

// Bytes of data in `count` elements.
inline size_t data_bytes(Count count, const Datatype &datatype) {
    return static_cast<size_t>(count) * static_cast<size_t>(datatype.size_bytes);
}

} // namespace thrum
