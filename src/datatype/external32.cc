// Conversion to and from external32, one basic element after the other. Numbers are big-endian
// there, and some have another size: long is 4 bytes, long double is binary128. This machine is
// little-endian, so bytes are reversed.
#include "datatype/external32.h"

#include "datatype/basic_blocks.h"
#include "datatype/representation.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

// The numbers in a basic datatype: one, or the two of a complex. Sizes are those of one number.
struct Numbers {
    int count;
    size_t native_bytes;
    size_t external_bytes;
    bool extended; // long double: the x87 format here, binary128 in external32
    bool with_sign;
};

// Returns how the numbers of a basic datatype are represented on both sides.
Numbers numbers_of(const Datatype &basic) {
    int count = basic.group == BasicGroup::Complex ? 2 : 1;
    return {count, static_cast<size_t>(basic.size_bytes / count),
            static_cast<size_t>(basic.external_bytes / count),
            basic.kind == BasicKind::LongDouble || basic.kind == BasicKind::ComplexLongDouble,
            is_signed_integer(basic.kind)};
}

void reverse_copy(char *to, const char *from, size_t size_bytes) {
    std::reverse_copy(from, from + size_bytes, to);
}

// Converts one number. Integers that are narrower in external32 (MPI_LONG, MPI_WCHAR) lose their
// upper bytes (section 14.5.2: a value that does not fit is the program's error).
void to_external(const Numbers &n, const char *native, char *external) {
    if (n.extended) {
        long double value;
        std::memcpy(&value, native, sizeof value);
        auto wide = static_cast<Float128>(value);
        reverse_copy(external, reinterpret_cast<const char *>(&wide), sizeof wide);
    } else {
        reverse_copy(external, native, n.external_bytes);
    }
}

// Converts one number back, and extends the sign where the native number is wider. Padding is set
// to 0.
void from_external(const Numbers &n, const char *external, char *native) {
    if (n.extended) {
        Float128 wide;
        reverse_copy(reinterpret_cast<char *>(&wide), external, sizeof wide);
        auto value = static_cast<long double>(wide);
        constexpr size_t value_bytes = 10; // the other six are padding
        std::memset(native, 0, sizeof value);
        std::memcpy(native, &value, value_bytes);
    } else {
        bool negative = n.with_sign && (external[0] & 0x80) != 0;
        std::memset(native, negative ? 0xff : 0, n.native_bytes);
        reverse_copy(native, external, n.external_bytes);
    }
}

char *bytes_of(const void *buffer) {
    return static_cast<char *>(const_cast<void *>(buffer));
}

} // namespace

// Walks one element: all have the same number of bytes.
Count external_bytes(const Datatype &datatype, Count count) {
    Count sum = 0;
    visit_basic_blocks(datatype, 1, nullptr,
                       [&](const Datatype &basic, char *, Count copies, Count) {
                           sum += copies * basic.external_bytes;
                       });
    return sum * count;
}

// Elements follow each other without gaps in the packed form.
void pack_external(const void *buffer, Count count, const Datatype &datatype, void *packed) {
    char *external = bytes_of(packed);
    visit_basic_blocks(datatype, count, bytes_of(buffer),
                       [&](const Datatype &basic, char *address, Count copies, Count extent) {
                           Numbers n = numbers_of(basic);
                           for (Count i = 0; i < copies; ++i, address += extent)
                               for (int k = 0; k < n.count; ++k, external += n.external_bytes)
                                   to_external(n, address + k * n.native_bytes, external);
                       });
}

void unpack_external(const void *packed, void *buffer, Count count, const Datatype &datatype) {
    unpack_external_part(packed, external_bytes(datatype, count), buffer, count, datatype);
}

// Stops at the first element that the packed data do not hold completely. The walk itself cannot be
// stopped, so the rest of it does nothing.
Count unpack_external_part(const void *packed, Count packed_bytes, void *buffer, Count count,
                           const Datatype &datatype) {
    const char *external = bytes_of(packed);
    const char *end = external + packed_bytes;
    Count unpacked_bytes = 0;
    bool cut = false; // the data end inside an element
    visit_basic_blocks(datatype, count, bytes_of(buffer),
                       [&](const Datatype &basic, char *address, Count copies, Count extent) {
                           Numbers n = numbers_of(basic);
                           for (Count i = 0; i < copies && !cut; ++i, address += extent) {
                               cut = end - external < basic.external_bytes;
                               if (cut)
                                   break;
                               for (int k = 0; k < n.count; ++k, external += n.external_bytes)
                                   from_external(n, external, address + k * n.native_bytes);
                               unpacked_bytes += basic.size_bytes;
                           }
                       });
    return unpacked_bytes;
}

} // namespace thrum
