// ObjectPool: memory of the objects behind handles. Freed memory is kept for later objects of the
// same type and never returned to the system. Reading the magic word of a stale handle is therefore
// safe: a freed communicator gives MPI_ERR_COMM, not a crash.
//
// Invariants
// 1. The object's first member is `uint32_t magic`. It holds Object::magic_live while the object
//    lives, and 0 while its memory waits in the pool.
// 2. Memory is reused in the order of freeing, by the worker that has freed it, and only while at
//    least `waiting_min` other pieces wait there. A stale handle of any rank therefore stays stale
//    until that many objects have been freed after it.
#pragma once
#include "base/check.h"
#include "base/handle_read.h"
#include "base/pool_part.h"
#include "base/spinlock.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace thrum {

template <class Object>
class ObjectPool {
public:
    // Makes an object in memory that may have been another one's.
    template <class... Arguments>
    Object *make(Arguments &&...arguments) {
        return new (take()) Object{std::forward<Arguments>(arguments)...};
    }

    // Destroys an object. Its magic word stays readable, as 0.
    void destroy(Object *object) {
        object->~Object();
        Slot *slot = new (static_cast<void *>(object)) Slot;
        Part &part = parts_[pool_part()];
        LockGuard guard(part.lock);
        (part.last ? part.last->next : part.first) = slot;
        part.last = slot;
        if (++part.waiting == crowd)
            crowded_parts_.fetch_add(1, std::memory_order_relaxed);
    }

private:
    struct Slot {
        // At the place of the object's magic; volatile: stale handles read it.
        volatile uint32_t magic = 0;
        Slot *next = nullptr;
    };

    // The pieces that a worker has freed.
    struct alignas(64) Part {
        SpinLock lock; // guards the list
        Slot *first = nullptr;
        Slot *last = nullptr;
        size_t waiting = 0; // pieces in the list
    };

    // Returns a piece of a part of which more than `min` wait, or nullptr.
    Slot *take_from(Part &part, size_t min) {
        LockGuard guard(part.lock);
        if (part.waiting <= min)
            return nullptr;
        Slot *slot = part.first;
        part.first = slot->next;
        if (part.waiting-- == crowd)
            crowded_parts_.fetch_sub(1, std::memory_order_relaxed);
        return slot;
    }

    // Looks at other workers' pieces before it asks for new memory, if one has many: ranks may make
    // objects on one worker and free them on another.
    void *take() {
        if (Slot *slot = take_from(parts_[pool_part()], waiting_min))
            return slot;
        if (crowded_parts_.load(std::memory_order_relaxed) > 0)
            for (Part &part : parts_)
                if (Slot *slot = take_from(part, crowd - 1))
                    return slot;
        static_assert(sizeof(Object) >= sizeof(Slot));
        void *memory = std::malloc(sizeof(Object));
        CHECK(memory, "out of memory for %zu bytes", sizeof(Object));
        return memory;
    }

    static constexpr size_t waiting_min = 64;
    static constexpr size_t crowd = 2 * waiting_min;
    Part parts_[pool_parts];
    std::atomic<int> crowded_parts_{0}; // in which at least `crowd` pieces wait; a hint
};

// Returns whether `handle` may be dereferenced: not a predefined constant, not misaligned, the
// address of memory, and alive.
template <class Object>
inline bool is_live(const Object *handle) {
    auto value = reinterpret_cast<uintptr_t>(handle);
    constexpr uintptr_t constants_end = 4096; // section 20.3.3: smaller values are constants
    return value >= constants_end && value % alignof(Object) == 0 &&
           holds<Object::magic_live>(reinterpret_cast<const uint32_t *>(value));
}

} // namespace thrum
