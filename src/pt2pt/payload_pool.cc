// Size classes and free lists of PayloadPool. The pool never returns memory to malloc.
#include "pt2pt/payload_pool.h"

#include "base/check.h"
#include "base/spinlock.h"
#include "match/mailbox.h"

#include <bit>
#include <cstdint>
#include <cstdlib>

namespace thrum {
namespace {

// Classes are powers of two. Beyond the largest, which no default reaches, malloc is used: the copy
// then costs more than the allocation.
constexpr unsigned smallest_class_bits = 8;
constexpr unsigned class_count = 9;     // 256 B to 64 KiB
constexpr size_t slab_bytes = 16 << 10; // allocated and cut at once
constexpr size_t shard_count = 16;

struct FreeBuffer {
    FreeBuffer *next;
};

// A part of the pool, in cache lines of its own.
struct alignas(64) Shard {
    SpinLock lock; // guards the lists
    FreeBuffer *free[class_count] = {};
};

Shard shards[shard_count];

Shard &shard_of(const Mailbox &receiver) {
    return shards[reinterpret_cast<uintptr_t>(&receiver) / sizeof(Mailbox) % shard_count];
}

// Returns the class of buffers for this size; class_count or more: too large.
unsigned class_of(size_t size_bytes) {
    unsigned bits = static_cast<unsigned>(std::bit_width(size_bytes - 1));
    return bits > smallest_class_bits ? bits - smallest_class_bits : 0;
}

void *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes);
    CHECK(memory, "out of memory for %zu bytes of eager messages", size_bytes);
    return memory;
}

// Cuts a new slab: returns its first buffer and puts the others into the free list.
[[gnu::noinline]] void *cut_slab(Shard &shard, unsigned size_class) {
    const size_t buffer_bytes = size_t{1} << (size_class + smallest_class_bits);
    const size_t count = buffer_bytes < slab_bytes ? slab_bytes / buffer_bytes : 1;
    char *slab = static_cast<char *>(allocate(count * buffer_bytes));
    LockGuard guard(shard.lock);
    for (size_t i = 1; i < count; ++i) {
        auto *buffer = reinterpret_cast<FreeBuffer *>(slab + i * buffer_bytes);
        buffer->next = shard.free[size_class];
        shard.free[size_class] = buffer;
    }
    return slab;
}

} // namespace

void *take_payload(const Mailbox &receiver, size_t size_bytes) {
    const unsigned size_class = class_of(size_bytes);
    if (size_class >= class_count)
        return allocate(size_bytes);
    Shard &shard = shard_of(receiver);
    {
        LockGuard guard(shard.lock);
        if (FreeBuffer *buffer = shard.free[size_class]) {
            shard.free[size_class] = buffer->next;
            return buffer;
        }
    }
    return cut_slab(shard, size_class);
}

void give_back_payload(const Mailbox &receiver, void *payload, size_t size_bytes) {
    const unsigned size_class = class_of(size_bytes);
    if (size_class >= class_count) {
        std::free(payload);
        return;
    }
    auto *buffer = static_cast<FreeBuffer *>(payload);
    Shard &shard = shard_of(receiver);
    LockGuard guard(shard.lock);
    buffer->next = shard.free[size_class];
    shard.free[size_class] = buffer;
}

} // namespace thrum
