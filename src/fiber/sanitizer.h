// What the sanitizers must be told of a context switch. In their builds fibers share the worker's TLS
// (the tools keep their own state there); elsewhere all of this is empty.
#pragma once
#include "fiber/task.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#elif defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace thrum::sanitizer {

#if defined(__SANITIZE_THREAD__)

inline constexpr bool own_thread_blocks = false;
inline void *create() { return __tsan_create_fiber(0); }
inline void *current() { return __tsan_get_current_fiber(); }
inline void destroy(void *fiber) { __tsan_destroy_fiber(fiber); }
inline void before_switch(void **, void *to, const void *, size_t, bool) { __tsan_switch_to_fiber(to, 0); }
inline void after_switch(void *) {}

#elif defined(__SANITIZE_ADDRESS__)

inline constexpr bool own_thread_blocks = false;
inline void *create() { return nullptr; }
inline void *current() { return nullptr; }
inline void destroy(void *) {}
inline void before_switch(void **fake_stack, void *, const void *low, size_t size, bool last) {
    __sanitizer_start_switch_fiber(last ? nullptr : fake_stack, low, size);
}
inline void after_switch(void *fake_stack) {
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

#else

inline constexpr bool own_thread_blocks = true;
inline void *create() { return nullptr; }
inline void *current() { return nullptr; }
inline void destroy(void *) {}
inline void before_switch(void **, void *, const void *, size_t, bool) {}
inline void after_switch(void *) {}

#endif

} // namespace thrum::sanitizer
