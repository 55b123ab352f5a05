// Reports context switches to the sanitizers (docs/sanitizers.md). In their builds fibers share the
// worker's TLS, because the tools keep their own state there. In other builds all of this is empty.
//
// Invariants
// 1. before_switch() is the last call on a stack, and after_switch() the first on the next one.
//    Both are always inlined: otherwise TSan would see a function begin on one fiber and end on
//    another.
// 2. A fiber that is done leaves with `fake_stack` null: ASan frees what it keeps for it.
// 3. A fiber's stack goes back without ASan's marks of the frames that never returned.
//
// Messages of other processes also order what threads do: one thread sends, and another one
// receives the answer. So do gates (fabric/channel/gate.h). TSan cannot see this; message_leaves()
// and message_has_come() report it.
#pragma once
#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#elif defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace thrum::sanitizer {

#define THRUM_INLINE [[gnu::always_inline]] inline

#if defined(__SANITIZE_THREAD__)

inline constexpr bool own_thread_blocks = false;
// Memory of an OS thread in addition to the stack that the caller requires: TSan's static TLS has
// 900 KiB.
inline constexpr size_t thread_extra_bytes = 4 << 20;

inline void *create() {
    return __tsan_create_fiber(0);
}

inline void *current() {
    return __tsan_get_current_fiber();
}

inline void destroy(void *fiber, const void *, size_t) {
    __tsan_destroy_fiber(fiber);
}

THRUM_INLINE void before_switch(void **, void *to, const void *, size_t) {
    __tsan_switch_to_fiber(to, 0);
}

THRUM_INLINE void after_switch(void *) {}

inline char order_by_messages; // only its address matters

inline void message_leaves() {
    __tsan_release(&order_by_messages);
}

inline void message_has_come() {
    __tsan_acquire(&order_by_messages);
}

#elif defined(__SANITIZE_ADDRESS__)

inline constexpr bool own_thread_blocks = false;
inline constexpr size_t thread_extra_bytes = 1 << 20;

inline void *create() {
    return nullptr;
}

inline void *current() {
    return nullptr;
}

inline void destroy(void *, const void *stack_low, size_t stack_bytes) {
    __asan_unpoison_memory_region(stack_low, stack_bytes);
}

THRUM_INLINE void before_switch(void **fake_stack, void *, const void *low, size_t size) {
    __sanitizer_start_switch_fiber(fake_stack, low, size);
}

THRUM_INLINE void after_switch(void *fake_stack) {
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

#else

inline constexpr bool own_thread_blocks = true;
inline constexpr size_t thread_extra_bytes = 0;

inline void *create() {
    return nullptr;
}

inline void *current() {
    return nullptr;
}

inline void destroy(void *, const void *, size_t) {}

THRUM_INLINE void before_switch(void **, void *, const void *, size_t) {}

THRUM_INLINE void after_switch(void *) {}

#endif

#if !defined(__SANITIZE_THREAD__)

THRUM_INLINE void message_leaves() {}

THRUM_INLINE void message_has_come() {}

#endif

#undef THRUM_INLINE

} // namespace thrum::sanitizer
