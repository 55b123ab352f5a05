// ObjectPool: memory of the objects behind handles. Freed memory is kept for later objects of the
// same type and never returned to the system. Reading the magic word of a stale handle is therefore
// safe: a freed communicator gives MPI_ERR_COMM, not a crash.
//
// Invariants
// 1. The object's first member is `uint32_t magic`. It holds Object::magic_live while the object
//    lives, and 0 while its memory waits in the pool.
// 2. Memory is reused in the order of freeing, and only while at least `waiting_min` other pieces
//    wait. A stale handle of any rank therefore stays stale until that many objects have been freed
//    after it.
#pragma once
#include "base/check.h"
#include "base/handle_read.h"
#include "base/spinlock.h"

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
        LockGuard guard(lock_);
        (last_ ? last_->next : first_) = slot;
        last_ = slot;
        ++waiting_;
    }

private:
    struct Slot {
        // At the place of the object's magic; volatile: stale handles read it.
        volatile uint32_t magic = 0;
        Slot *next = nullptr;
    };

    void *take() {
        {
            LockGuard guard(lock_);
            if (waiting_ > waiting_min) {
                Slot *slot = first_;
                first_ = slot->next;
                --waiting_;
                return slot;
            }
        }
        static_assert(sizeof(Object) >= sizeof(Slot));
        void *memory = std::malloc(sizeof(Object));
        CHECK(memory, "out of memory for %zu bytes", sizeof(Object));
        return memory;
    }

    static constexpr size_t waiting_min = 64;
    SpinLock lock_; // guards the list of free slots
    Slot *first_ = nullptr;
    Slot *last_ = nullptr;
    size_t waiting_ = 0; // pieces in the list
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
