// Cursor: walks the data of a buffer in the order of its packed form, one Run at a time.
//
// A position is a Run (blocks of equal size at a constant stride) and how much of its current block
// has been consumed. Seeking costs the depth of the layout, plus a binary search per List. A Cursor
// is on the stack of the copying function and never allocates.
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

class Cursor {
public:
    // Walks the data of `count` elements at `buffer`, from byte `offset` of the packed form on.
    Cursor(const void *buffer, Count count, const Datatype &datatype, size_t offset);

    // Walks dense bytes.
    Cursor(const void *buffer, size_t size_bytes) { set_run(address_of(buffer), size_bytes, 0, 1); }

    Cursor(const Cursor &) = delete;
    Cursor &operator=(const Cursor &) = delete;

    char *address() const { return address_; }

    size_t left() const { return left_; } // bytes left in the current block

    size_t block_bytes() const { return block_bytes_; }

    // blocks left in this Run, including the current one; 0: at the end
    Count blocks() const { return blocks_; }

    Count stride() const { return stride_; }

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

    // The cursor's place in a List of dense blocks, so that a copy can take many at once.
    struct BlockList {
        const LayoutEntry *entries; // the current one first; a sentinel after the last
        Count count;
        char *base;
        Count repeats; // repetitions of the whole List from here on, `stride` apart; 1 if inside it
        Count stride;
    };

    bool at_block_list() const {
        return depth_ > 0 && frames_[depth_ - 1].node->only_blocks && at_block_start();
    }

    BlockList block_list() const; // requires at_block_list()

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
    struct Frame {
        const Layout *node;
        char *base; // the node's position, including its offset
        Count index;
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

    void next_block() {
        if (--blocks_ == 0)
            return next_run();
        // The address is at the end of the block.
        address_ = moved(address_, stride_ - static_cast<Count>(block_bytes_));
        left_ = block_bytes_;
    }

    void next_run();
    void descend(const Layout *node, char *base, Count offset);
    bool enter_entry(const Layout &list, char *base, Count index, const Layout *&node);

    char *address_ = nullptr;
    size_t left_ = 0;
    size_t block_bytes_ = 0;
    Count stride_ = 0;
    Count blocks_ = 0;
    int depth_ = 0;
    Layout root_; // the elements of the buffer, as one more node
    Frame frames_[layout_depth_max + 1];
};

} // namespace thrum
