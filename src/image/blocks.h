// Blocks: where the ranks' copies of the private areas lie, and how they are filled.
//
// The copy of an area at `low` for rank r is at low + first_distance + r * stride. All areas share
// the distance, so the stride is chosen such that no area's copies meet another's:
//
//     exe area       |xx|                 copies   |x1|..|x2|..|x3|..
//     library area            |yyy|       copies   ..|y1|..|y2|..|y3|      if both lie side by side
#pragma once
#include "image/growing_array.h"
#include "image/object.h"

namespace thrum {

// The range that a module may write: [low, high). Its own pointers into [pointer_low, pointer_high]
// count as pointers into that range.
struct PrivateArea {
    const Object *object;
    uintptr_t low, high;
    uintptr_t pointer_low, pointer_high;
    uintptr_t distance_word; // holds the rank's distance; in the area
};

// The contents of a block. All addresses are in the originals.
struct BlockTemplate {
    struct Run {
        uintptr_t low;
        size_t size_bytes;
        char *bytes; // initial values
    };

    // The word gets the address of the rank's own C-library variable, plus addend.
    struct VariableFixup {
        uintptr_t word;
        size_t variable_offset;
        intptr_t addend;
    };

    GrowingArray<Run> runs;
    GrowingArray<uintptr_t> fixups; // words that get the distance added
    GrowingArray<VariableFixup> variable_fixups;
    GrowingArray<uintptr_t> distance_words; // words that are the distance
};

// Both stay alive.
void set_block_template(const BlockTemplate &block_template,
                        const GrowingArray<PrivateArea> &areas);

// The smallest stride, a multiple of `alignment`, at which copies of the areas do not meet; 0:
// there is none below 64 times their sizes. For the unit test.
size_t choose_stride(const GrowingArray<PrivateArea> &areas, size_t alignment);

size_t block_bytes(); // of one rank's variables, without those that begin as zeros
// `spare_count`: further ones for ranks that are added later.
void reserve_blocks(int count, int spare_count);
int blocks_left();
void free_block(uintptr_t distance);
// Makes the next of the reserved blocks; returns its distance.
uintptr_t make_block(void *variables);

// The place of the reserved blocks: block N (from 1) is at first_distance + (N - 1) * stride_bytes.
struct ReservedBlocks {
    uintptr_t first_distance;
    size_t stride_bytes;
    int count;
};

ReservedBlocks reserved_blocks();
// The number of the block at `distance`; 0 for the originals.
int block_number(uintptr_t distance);
// The strictest alignment in the area, at least that of a cache line.
size_t alignment_of(const PrivateArea &area);

} // namespace thrum
