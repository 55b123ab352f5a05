// Cursor: walks the data of a buffer in the order of its packed form, one Run at a time.
//
// A position is a Run (blocks of equal size at a constant stride) and how much of its current block
// has been consumed. Seeking costs the depth of the layout, plus a binary search per List. A Cursor
// is on the stack of the copying function and never allocates: its frames have room for the deepest
// layout (layout_depth_max). It keeps no reference: the datatype must outlive it.
#pragma once
#include "datatype/layout.h"

#include <cstring>

namespace thrum {

// Adds to an address, using integers: a displacement may be absolute (MPI_BOTTOM), and a node's
// position need not be inside any object.
inline char *moved(char *base, Count offset) {
    return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(base) +
                                    static_cast<uintptr_t>(offset));
}

// A position in the data of a buffer. The functions that skip advance it; others only look.
class Cursor {
public:
    // Walks the data of `count` elements at `buffer`, from byte `offset` of the packed form on.
    Cursor(const void *buffer, Count count, const Datatype &datatype, size_t offset);

    // Walks dense bytes.
    Cursor(const void *buffer, size_t size_bytes) { set_run(address_of(buffer), size_bytes, 0, 1); }

    Cursor(const Cursor &) = delete;
    Cursor &operator=(const Cursor &) = delete;

    // The next byte.
    char *address() const { return address_; }

    size_t left() const { return left_; } // bytes left in the current block

    // Describe the current Run: its block size, its blocks and their stride in bytes.
    size_t block_bytes() const { return block_bytes_; }

    // blocks left in this Run, including the current one; 0: at the end
    Count blocks() const { return blocks_; }

    Count stride() const { return stride_; }

    // Returns whether nothing of the current block has been consumed.
    bool at_block_start() const { return left_ == block_bytes_; }

    void skip_bytes(size_t size_bytes) { // at most left() bytes
        left_ -= size_bytes;
        address_ += size_bytes;
        if (left_ == 0)
            next_block();
    }

    void skip_blocks(Count count) { // whole blocks: at most blocks(), from at_block_start()
        blocks_ -= count;
        if (blocks_ == 0)
            return next_run();
        address_ = moved(address_, count * stride_);
    }

    // The cursor's position in a List of dense blocks, so that a copy can take many at once.
    struct BlockList {
        const LayoutEntry *entries; // the current one first; a sentinel after the last
        Count count;                // entries left, including the current one
        char *base;                 // to which the entries' offsets are added
        Count repeats; // repetitions of the whole List from here on, `stride` apart; 1 if inside it
        Count stride;
    };

    // Returns whether the current Run is an entry of a List that has only dense blocks.
    bool at_block_list() const {
        return depth_ > 0 && frames_[depth_ - 1].node->only_blocks && at_block_start();
    }

    BlockList block_list() const; // requires at_block_list()

    // Skips `count` entries of block_list(), or `count` repetitions of the whole List.
    void skip_entries(Count count) {
        frames_[depth_ - 1].index += count - 1;
        next_run();
    }

    void skip_repeats(Count count) {
        frames_[depth_ - 1].index = frames_[depth_ - 1].node->count - 1;
        if (count > 1)
            frames_[depth_ - 2].index += count - 1;
        next_run();
    }

private:
    // A Loop or List on the way from the root to the current Run.
    struct Frame {
        const Layout *node;
        char *base;  // the node's position, including its offset
        Count index; // of the current child
    };

    static char *address_of(const void *buffer) {
        return static_cast<char *>(const_cast<void *>(buffer));
    }

    void set_run(char *address, size_t block_bytes, Count stride, Count blocks) {
        address_ = address;
        left_ = block_bytes_ = block_bytes;
        stride_ = stride;
        blocks_ = blocks;
    }

    // Goes to the next block of the Run, or to the next Run.
    void next_block() {
        if (--blocks_ == 0)
            return next_run();
        // The address is at the end of the block.
        address_ = moved(address_, stride_ - static_cast<Count>(block_bytes_));
        left_ = block_bytes_;
    }

    // Goes to the next Run; see cursor.cc.
    void next_run();
    void descend(const Layout *node, char *base, Count offset);
    bool enter_entry(const Layout &list, char *base, Count index, const Layout *&node);

    char *address_ = nullptr; // next byte
    size_t left_ = 0;         // of the current block
    size_t block_bytes_ = 0;
    Count stride_ = 0;
    Count blocks_ = 0; // in this Run, including the current one
    int depth_ = 0;    // frames in use
    Layout root_;      // the elements of the buffer, as one more node
    Frame frames_[layout_depth_max + 1];
};

} // namespace thrum
