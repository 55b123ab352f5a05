// Copies blocks of equal size at a constant stride: the innermost loops of every typed copy. Called
// by copy.cc only, which has found the runs. Block sizes that are common have a loop of their own,
// in which a block is a few moves between registers.
#pragma once
#include "datatype/datatype.h"

#include <cstdint>
#include <cstring>

namespace thrum {

// Blocks of one size: the first block's address, and the stride in bytes, on both sides.
struct StridedBlocks {
    char *destination;
    Count destination_stride;
    const char *source;
    Count source_stride;
};

// Copies blocks of a size that the compiler knows.
template <size_t block_bytes>
inline void copy_fixed_blocks(StridedBlocks b, Count count) {
    for (Count i = 0; i < count; ++i) {
        std::memcpy(b.destination, b.source, block_bytes); // moves of registers
        b.destination += b.destination_stride;
        b.source += b.source_stride;
    }
}

// Copies a block as its first and last word, which overlap if it is shorter than two words. This
// needs no loop and no branch on the size.
template <class Word>
[[gnu::always_inline]] inline void copy_ends(char *to, const char *from, size_t size_bytes) {
    Word first, last; // they overlap if size_bytes is below two words
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + size_bytes - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size_bytes - sizeof last, &last, sizeof last);
}

// Copies one block, without calling memcpy where that costs more than the copy.
[[gnu::always_inline]] inline void copy_block(char *to, const char *from, size_t size_bytes) {
    struct Word16 {
        uint64_t halves[2];
    };

    if (size_bytes >= 16) {
        if (size_bytes > 128) {
            std::memcpy(to, from, size_bytes);
            return;
        }
        for (size_t i = 0; i + 32 < size_bytes; i += 16)
            std::memcpy(to + i, from + i, 16);
        size_t rest = size_bytes > 32 ? (size_bytes - 17) % 16 + 17 : size_bytes;
        copy_ends<Word16>(to + size_bytes - rest, from + size_bytes - rest, rest);
    } else if (size_bytes >= 8) {
        copy_ends<uint64_t>(to, from, size_bytes);
    } else if (size_bytes >= 4) {
        copy_ends<uint32_t>(to, from, size_bytes);
    } else {
        for (size_t i = 0; i < size_bytes; ++i)
            to[i] = from[i];
    }
}

// Copies blocks of any other size.
inline void copy_any_blocks(StridedBlocks b, size_t block_bytes, Count count) {
    for (Count i = 0; i < count; ++i) {
        copy_block(b.destination, b.source, block_bytes);
        b.destination += b.destination_stride;
        b.source += b.source_stride;
    }
}

// Copies `count` blocks. Both sides may not overlap.
inline void copy_blocks(StridedBlocks b, size_t block_bytes, Count count) {
    auto dense = static_cast<Count>(block_bytes);
    if (b.destination_stride == dense && b.source_stride == dense) {
        std::memcpy(b.destination, b.source, block_bytes * static_cast<size_t>(count));
        return;
    }
    // The sizes of C's basic types, and of small structs and complex numbers.
    switch (block_bytes) {
    case 1:
        return copy_fixed_blocks<1>(b, count);
    case 2:
        return copy_fixed_blocks<2>(b, count);
    case 4:
        return copy_fixed_blocks<4>(b, count);
    case 8:
        return copy_fixed_blocks<8>(b, count);
    case 12:
        return copy_fixed_blocks<12>(b, count);
    case 16:
        return copy_fixed_blocks<16>(b, count);
    case 24:
        return copy_fixed_blocks<24>(b, count);
    case 32:
        return copy_fixed_blocks<32>(b, count);
    case 48:
        return copy_fixed_blocks<48>(b, count);
    case 64:
        return copy_fixed_blocks<64>(b, count);
    default:
        return copy_any_blocks(b, block_bytes, count);
    }
}

} // namespace thrum
