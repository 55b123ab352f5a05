#include "datatype/external32.h"

#include "datatype/contents.h"
#include "datatype/representation.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace thrum {
namespace {

// Calls visit(basic datatype, address, copies, extent) for each block of basic elements in the
// order of the type map. The stack of open datatypes is on the heap: nesting has no limit.
template <class Visit>
void visit_basic_blocks(const Datatype &datatype, Count count, char *buffer, Visit visit) {
    struct Open {
        const Datatype *type;
        uintptr_t address; // of the current copy; an integer, since the buffer may be MPI_BOTTOM
        Count copies;      // left, the current one included
        Count block;       // next
    };

    std::vector<Open> open;
    auto enter = [&](const Datatype &type, uintptr_t address, Count copies) {
        if (copies == 0 || type.size_bytes == 0)
            return;
        if (block_count(type) == 0)
            visit(type, reinterpret_cast<char *>(address), copies, type.extent);
        else
            open.push_back({&type, address, copies, 0});
    };
    enter(datatype, reinterpret_cast<uintptr_t>(buffer), count);
    while (!open.empty()) {
        Open &top = open.back();
        if (top.block == block_count(*top.type)) {
            top.block = 0;
            top.address += static_cast<uintptr_t>(top.type->extent);
            if (--top.copies == 0)
                open.pop_back();
            continue;
        }
        TypeBlock block = block_at(*top.type, top.block++);
        enter(*block.type, top.address + static_cast<uintptr_t>(block.displacement), block.copies);
    }
}

// A basic datatype's numbers: one, or the two of a complex.
struct Numbers {
    int count;
    size_t native_bytes;
    size_t external_bytes;
    bool extended; // long double: the x87 format here, binary128 in external32
    bool with_sign;
};

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

// Integers narrower in external32 (MPI_LONG, MPI_WCHAR) lose their upper bytes (section 14.5.2: a
// value that does not fit is the program's error).
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

Count external_bytes(const Datatype &datatype, Count count) {
    Count sum = 0;
    // One element stands for all: each has as many bytes.
    visit_basic_blocks(datatype, 1, nullptr,
                       [&](const Datatype &basic, char *, Count copies, Count) {
                           sum += copies * basic.external_bytes;
                       });
    return sum * count;
}

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
    const char *external = bytes_of(packed);
    visit_basic_blocks(datatype, count, bytes_of(buffer),
                       [&](const Datatype &basic, char *address, Count copies, Count extent) {
                           Numbers n = numbers_of(basic);
                           for (Count i = 0; i < copies; ++i, address += extent)
                               for (int k = 0; k < n.count; ++k, external += n.external_bytes)
                                   from_external(n, external, address + k * n.native_bytes);
                       });
}

} // namespace thrum
