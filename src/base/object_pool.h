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
        parts_[pool_part()].put(slot);
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
        std::atomic<size_t> waiting{0}; // pieces in the list; a hint for other workers

        void put(Slot *slot) {
            LockGuard guard(lock);
            (last ? last->next : first) = slot;
            last = slot;
            waiting.store(waiting.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        }

        // Returns nullptr if no more than `min` wait.
        Slot *take(size_t min) {
            LockGuard guard(lock);
            const size_t count = waiting.load(std::memory_order_relaxed);
            if (count <= min)
                return nullptr;
            Slot *slot = first;
            first = slot->next;
            waiting.store(count - 1, std::memory_order_relaxed);
            return slot;
        }
    };

    // Looks at other workers' pieces before it asks for new memory: ranks may make objects on one
    // worker and free them on another.
    void *take() {
        if (Slot *slot = parts_[pool_part()].take(waiting_min))
            return slot;
        for (Part &part : parts_)
            if (part.waiting.load(std::memory_order_relaxed) > 2 * waiting_min)
                if (Slot *slot = part.take(2 * waiting_min))
                    return slot;
        static_assert(sizeof(Object) >= sizeof(Slot));
        void *memory = std::malloc(sizeof(Object));
        CHECK(memory, "out of memory for %zu bytes", sizeof(Object));
        return memory;
    }

    static constexpr size_t waiting_min = 64;
    Part parts_[pool_parts];
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
