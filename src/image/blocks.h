// Blocks: where the ranks' copies of the private areas lie (--privatize), and how they are filled.
// The program computes the address of its variable as original address + gs base, so all areas of a
// rank must have the same distance.
//
// The copy of an area at `low` for rank r is at low + first_distance + r * stride. The stride is
// chosen such that no area's copies meet another's:
//
//     exe area       |xx|                 copies   |x1|..|x2|..|x3|..
//     library area            |yyy|       copies   ..|y1|..|y2|..|y3|      if both lie side by side
#pragma once
#include "image/growing_array.h"
#include "image/object.h"

namespace thrum {

// The range [low, high) of the original that a module may write. Its own pointers into
// [pointer_low, pointer_high] count as pointers into that range.
struct PrivateArea {
    const Object *object;
    uintptr_t low, high;
    uintptr_t pointer_low, pointer_high;
    uintptr_t distance_word; // holds the rank's distance; in the area
};

// The contents of a new block. All addresses are in the originals.
struct BlockTemplate {
    struct Run {
        uintptr_t low;
        size_t size_bytes;
        char *bytes; // initial values
    };

    // A word that gets the address of the rank's own C-library variable, plus addend.
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

// Sets what blocks are made from. Neither argument is copied: both stay alive.
void set_block_template(const BlockTemplate &block_template,
                        const GrowingArray<PrivateArea> &areas);

// Returns the smallest stride in bytes, a multiple of `alignment`, at which copies of the areas do
// not meet; 0 if there is none up to 64 times their total size. Declared for the unit test.
size_t choose_stride(const GrowingArray<PrivateArea> &areas, size_t alignment);

// Returns the bytes of one rank's initialised variables, without those that begin as zeros.
size_t block_bytes();
// Reserves addresses for `count` blocks and for `spare_count` more, for ranks that are added later.
// Ends the process (exit code 2) if there is no room.
void reserve_blocks(int count, int spare_count);
// Returns how many further blocks make_block() can make.
int blocks_left();
// Clears the block at `distance` and lets make_block() use it again. No code of its rank runs any
// longer.
void free_block(uintptr_t distance);
// Makes the next of the reserved blocks and returns its distance. `variables`: the rank's memory
// for C-library variables.
uintptr_t make_block(void *variables);

// The place of the reserved blocks: the distance of block N (from 1) is first_distance + (N - 1) *
// stride_bytes.
struct ReservedBlocks {
    uintptr_t first_distance;
    size_t stride_bytes;
    int count;
};

ReservedBlocks reserved_blocks();
// Returns the number of the block at `distance`; 0 for the originals.
int block_number(uintptr_t distance);
// Returns the strictest alignment of the area's sections, at least that of a cache line.
size_t alignment_of(const PrivateArea &area);

} // namespace thrum
