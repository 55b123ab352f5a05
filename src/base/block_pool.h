// BlockPool: memory for objects of one size. It allocates blocks that double in size and keeps them
// for reuse, so after a while no object needs an allocation. It hands out raw memory: the caller
// constructs and destroys. Not thread-safe.
#pragma once
#include "base/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace thrum {

template <class T>
class BlockPool {
public:
    BlockPool() = default;

    ~BlockPool() {
        while (Block *block = blocks_) {
            blocks_ = block->next;
            ::free(block);
        }
    }

    BlockPool(const BlockPool &) = delete;
    BlockPool &operator=(const BlockPool &) = delete;

    // Returns memory for one T, not initialised: zero, or what the last object there has left.
    void *take() {
        if (!free_) [[unlikely]]
            add_block();
        Slot *slot = free_;
        free_ = slot->next;
        return slot->memory;
    }

    // Returns what take() would return; nullptr: new memory.
    const void *next() const { return free_ ? free_->memory : nullptr; }

    // Takes memory back that take() has returned; the object in it is destroyed.
    void give_back(void *memory) {
        Slot *slot = static_cast<Slot *>(memory);
        slot->next = free_;
        free_ = slot;
    }

    // Calls visit(memory) for all memory that take() has returned or will return, in use or not.
    template <class Visit>
    void for_each(Visit visit) {
        for (Block *block = blocks_; block; block = block->next)
            for (size_t i = 0; i < block->count; ++i)
                visit(static_cast<void *>(block->slots()[i].memory));
    }

private:
    static constexpr size_t first_block_slots = 4;
    static constexpr size_t block_slots_max = 1024;

    union Slot {
        Slot *next; // in a free slot
        alignas(T) unsigned char memory[sizeof(T)];
    };

    struct alignas(alignof(Slot)) Block {
        Block *next;
        size_t count;

        Slot *slots() { return reinterpret_cast<Slot *>(this + 1); }
    };

    [[gnu::noinline]] void add_block() {
        const size_t count =
            blocks_ ? std::min(blocks_->count * 2, block_slots_max) : first_block_slots;
        const size_t size_bytes = sizeof(Block) + count * sizeof(Slot);
        void *memory = ::aligned_alloc(alignof(Block), size_bytes);
        CHECK(memory, "out of memory for %zu objects of %zu bytes", count, sizeof(T));
        std::memset(memory, 0, size_bytes);
        blocks_ = new (memory) Block{blocks_, count};
        for (size_t i = count; i-- > 0;)
            give_back(&blocks_->slots()[i]);
    }

    Slot *free_ = nullptr;
    Block *blocks_ = nullptr;
};

} // namespace thrum
