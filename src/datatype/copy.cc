// copy_typed, pack_bytes, unpack_bytes: the message path's copies. All three are one loop over two
// cursors; a packed buffer is a cursor over one dense block.
#include "datatype/cursor.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

// Where blocks of one size go: address and stride on both sides.
struct Blocks {
    char *destination;
    Count destination_stride;
    const char *source;
    Count source_stride;
};

template <size_t block_bytes> void copy_fixed_blocks(Blocks b, Count count) {
    for (Count i = 0; i < count; ++i) {
        std::memcpy(b.destination, b.source, block_bytes); // moves of registers
        b.destination += b.destination_stride;
        b.source += b.source_stride;
    }
}

void copy_any_blocks(Blocks b, size_t block_bytes, Count count) {
    for (Count i = 0; i < count; ++i) {
        std::memcpy(b.destination, b.source, block_bytes);
        b.destination += b.destination_stride;
        b.source += b.source_stride;
    }
}

void copy_blocks(Blocks b, size_t block_bytes, Count count) {
    auto dense = static_cast<Count>(block_bytes);
    if (b.destination_stride == dense && b.source_stride == dense) {
        std::memcpy(b.destination, b.source, block_bytes * static_cast<size_t>(count));
        return;
    }
    switch (block_bytes) {
    case 1: return copy_fixed_blocks<1>(b, count);
    case 2: return copy_fixed_blocks<2>(b, count);
    case 4: return copy_fixed_blocks<4>(b, count);
    case 8: return copy_fixed_blocks<8>(b, count);
    case 12: return copy_fixed_blocks<12>(b, count);
    case 16: return copy_fixed_blocks<16>(b, count);
    case 24: return copy_fixed_blocks<24>(b, count);
    case 32: return copy_fixed_blocks<32>(b, count);
    case 48: return copy_fixed_blocks<48>(b, count);
    case 64: return copy_fixed_blocks<64>(b, count);
    default: return copy_any_blocks(b, block_bytes, count);
    }
}

Count min_count(Count a, Count b) { return a < b ? a : b; }

// How many of `blocks` blocks fit into `size_bytes`, without a division in the common cases.
Count fitting(Count blocks, size_t block_bytes, size_t size_bytes) {
    if (blocks == 1)
        return block_bytes <= size_bytes ? 1 : 0;
    return min_count(blocks, static_cast<Count>(size_bytes / block_bytes));
}

// Whole blocks of the same size on both sides.
bool copy_equal_blocks(Cursor &from, Cursor &to, size_t &size_bytes) {
    size_t block = from.block_bytes();
    if (block != to.block_bytes() || !from.at_block_start() || !to.at_block_start())
        return false;
    Count count = fitting(min_count(from.blocks(), to.blocks()), block, size_bytes);
    if (count == 0)
        return false;
    copy_blocks({to.address(), to.stride(), from.address(), from.stride()}, block, count);
    from.skip_blocks(count);
    to.skip_blocks(count);
    size_bytes -= static_cast<size_t>(count) * block;
    return true;
}

// Whole source blocks into the rest of a larger destination block.
bool gather_blocks(Cursor &from, Cursor &to, size_t &size_bytes) {
    if (!from.at_block_start())
        return false;
    size_t block = from.block_bytes();
    Count count = fitting(from.blocks(), block, std::min(size_bytes, to.left()));
    if (count == 0)
        return false;
    auto dense = static_cast<Count>(block);
    copy_blocks({to.address(), dense, from.address(), from.stride()}, block, count);
    from.skip_blocks(count);
    to.skip_bytes(static_cast<size_t>(count) * block);
    size_bytes -= static_cast<size_t>(count) * block;
    return true;
}

// Whole destination blocks out of the rest of a larger source block.
bool scatter_blocks(Cursor &from, Cursor &to, size_t &size_bytes) {
    if (!to.at_block_start())
        return false;
    size_t block = to.block_bytes();
    Count count = fitting(to.blocks(), block, std::min(size_bytes, from.left()));
    if (count == 0)
        return false;
    auto dense = static_cast<Count>(block);
    copy_blocks({to.address(), to.stride(), from.address(), dense}, block, count);
    from.skip_bytes(static_cast<size_t>(count) * block);
    to.skip_blocks(count);
    size_bytes -= static_cast<size_t>(count) * block;
    return true;
}

// Copies size_bytes, which both sides hold.
void transfer(Cursor &from, Cursor &to, size_t size_bytes) {
    while (size_bytes > 0) {
        if (copy_equal_blocks(from, to, size_bytes) || gather_blocks(from, to, size_bytes) ||
            scatter_blocks(from, to, size_bytes))
            continue;
        size_t piece = std::min({from.left(), to.left(), size_bytes});
        std::memcpy(to.address(), from.address(), piece);
        from.skip_bytes(piece);
        to.skip_bytes(piece);
        size_bytes -= piece;
    }
}

} // namespace

size_t copy_typed(const void *source, Count source_count, const Datatype &source_type,
                  void *destination, Count destination_count, const Datatype &destination_type) {
    size_t size_bytes = std::min(data_bytes(source_count, source_type),
                                 data_bytes(destination_count, destination_type));
    if (size_bytes == 0)
        return 0;
    if (source_type.contiguous && destination_type.contiguous) {
        std::memcpy(destination, source, size_bytes);
    } else if (destination_type.contiguous) {
        pack_bytes(source, source_count, source_type, 0, size_bytes, destination);
    } else if (source_type.contiguous) {
        unpack_bytes(source, 0, size_bytes, destination, destination_count, destination_type);
    } else {
        Cursor from(source, source_count, source_type, 0);
        Cursor to(destination, destination_count, destination_type, 0);
        transfer(from, to, size_bytes);
    }
    return size_bytes;
}

void pack_bytes(const void *buffer, Count count, const Datatype &datatype, size_t offset,
                size_t size_bytes, void *packed) {
    if (size_bytes == 0)
        return;
    if (datatype.contiguous) {
        std::memcpy(packed, static_cast<const char *>(buffer) + offset, size_bytes);
        return;
    }
    Cursor from(buffer, count, datatype, offset);
    Cursor to(packed, size_bytes);
    transfer(from, to, size_bytes);
}

void unpack_bytes(const void *packed, size_t offset, size_t size_bytes, void *buffer, Count count,
                  const Datatype &datatype) {
    if (size_bytes == 0)
        return;
    if (datatype.contiguous) {
        std::memcpy(static_cast<char *>(buffer) + offset, packed, size_bytes);
        return;
    }
    Cursor from(packed, size_bytes);
    Cursor to(buffer, count, datatype, offset);
    transfer(from, to, size_bytes);
}

} // namespace thrum
