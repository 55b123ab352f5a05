// A buffer as an operation uses it: which bytes, and whether it reads or writes them.
#pragma once
#include "datatype/cursor.h"
#include "datatype/datatype.h"

#include <cstdint>

namespace thrum {

enum class BufferAccess : uint8_t { Read, Write };

// `count` elements at `address`, which may be MPI_BOTTOM. The datatype must outlive it: see
// HeldType.
struct BufferUse {
    const void *address;
    Count count;
    const Datatype *datatype;
    BufferAccess access;

    bool is_empty() const { return count <= 0 || datatype->size_bytes == 0; }
};

// Keeps the datatype of a use alive.
class HeldType {
public:
    explicit HeldType(const BufferUse &use) : type_(const_cast<Datatype *>(use.datatype)) {
        retain(*type_);
    }

    HeldType(const HeldType &other) : type_(other.type_) { retain(*type_); }

    HeldType &operator=(const HeldType &) = delete;

    ~HeldType() { release(*type_); }

private:
    Datatype *type_;
};

// The memory from the first to the last byte, with the gaps between.
struct MemorySpan {
    uintptr_t low = 0, high = 0; // [low, high)

    uintptr_t size_bytes() const { return high - low; }

    bool meets(const MemorySpan &other) const { return low < other.high && other.low < high; }
};

// Calls visit(address, size in bytes) for each dense block, until it returns false.
template <class Visit>
void visit_blocks(const BufferUse &use, Visit visit) {
    Cursor cursor(use.address, use.count, *use.datatype, 0);
    while (cursor.blocks() > 0) {
        const char *address = cursor.address();
        for (Count i = 0; i < cursor.blocks(); ++i)
            if (!visit(address + i * cursor.stride(), cursor.block_bytes()))
                return;
        cursor.skip_blocks(cursor.blocks());
    }
}

inline MemorySpan span_of_block(const char *address, size_t size_bytes) {
    const auto low = reinterpret_cast<uintptr_t>(address);
    return {low, low + size_bytes};
}

// Returns the span of a buffer that is not empty.
MemorySpan span_of(const BufferUse &use);

// Returns whether two buffers have a byte in common. Gaps of datatypes do not count. Returns false
// if the buffers have too many blocks to compare.
bool share_bytes(const BufferUse &a, const BufferUse &b);

// Returns whether two uses disturb each other: they share a byte, and one of them writes.
inline bool conflict(const BufferUse &a, const BufferUse &b) {
    return (a.access == BufferAccess::Write || b.access == BufferAccess::Write) &&
           share_bytes(a, b);
}

// Returns a hash of the contents. Two contents that differ in one word never have the same.
uint64_t fingerprint_of(const BufferUse &use);

// Returns whether the memory of the buffer still exists. Of a datatype with gaps that is not known:
// the answer is yes.
bool is_mapped(const BufferUse &use);

} // namespace thrum
