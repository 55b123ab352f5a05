// Calls of the tools' own interfaces; without a tool they do nothing.
#include "base/tools.h"

#include <cstdint>

// A sanitizer's run time defines these functions for the whole process; without one they are null.
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __hwasan_init();
[[gnu::weak]] void __tsan_init();
[[gnu::weak]] void __tsan_acquire(void *);
[[gnu::weak]] void __tsan_release(void *);
[[gnu::weak]] void __tsan_ignore_thread_begin();
[[gnu::weak]] void __tsan_ignore_thread_end();
[[gnu::weak]] void __msan_init();
[[gnu::weak]] void __asan_handle_no_return();
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void *, size_t);
[[gnu::weak]] void __lsan_do_leak_check();
[[gnu::weak]] void __lsan_register_root_region(const void *, size_t);
[[gnu::weak]] void __lsan_ignore_object(const void *);
[[gnu::weak]] void __sanitizer_set_death_callback(void (*)());
}

namespace thrum {

const bool has_thread_sanitizer = __tsan_release != nullptr;

namespace {

// Sends a client request to valgrind ("Valgrind User Manual", section 3.1; valgrind.h). The
// sequence of instructions does nothing on a processor. rdx holds the default answer, rax the
// address of the request's number and its five arguments.
uintptr_t ask_valgrind(uintptr_t request, uintptr_t first = 0, uintptr_t second = 0) {
    volatile uintptr_t arguments[6] = {request, first, second, 0, 0, 0};
    uintptr_t answer = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "=d"(answer)
                     : "a"(&arguments[0]), "0"(answer)
                     : "cc", "memory");
    return answer;
}

constexpr uintptr_t request_running_on_valgrind = 0x1001;
constexpr uintptr_t request_stack_register = 0x1501;

} // namespace

bool running_on_valgrind() {
    static const bool answer = ask_valgrind(request_running_on_valgrind) != 0;
    return answer;
}

void tell_valgrind_of_stack(const void *low, const void *high) {
    ask_valgrind(request_stack_register, reinterpret_cast<uintptr_t>(low),
                 reinterpret_cast<uintptr_t>(high) - 1);
}

const char *thread_bound_sanitizer() {
    if (__asan_init)
        return "AddressSanitizer";
    if (__hwasan_init)
        return "HWAddressSanitizer";
    if (__tsan_init)
        return "ThreadSanitizer";
    if (__msan_init)
        return "MemorySanitizer";
    return __lsan_do_leak_check ? "LeakSanitizer" : nullptr;
}

namespace {

char all_calls;                     // represents what MPI calls synchronise
thread_local int watched_calls = 0; // of this OS thread, one inside of the other

} // namespace

void WatchedCall::begin() {
    ++watched_calls;
    __tsan_release(&all_calls);
    __tsan_ignore_thread_begin();
}

void WatchedCall::end() {
    --watched_calls;
    __tsan_ignore_thread_end();
    __tsan_acquire(&all_calls);
}

void WatchedCall::end_all() {
    while (watched_calls > 0)
        end();
}

void forget_frames() {
    if (__asan_handle_no_return)
        __asan_handle_no_return();
}

void forget_poison(const void *memory, size_t size_bytes) {
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(memory, size_bytes);
}

void add_leak_check_root(const void *memory, size_t size_bytes) {
    if (__lsan_register_root_region)
        __lsan_register_root_region(memory, size_bytes);
}

void *keep_for_ever(void *block) {
    if (__lsan_ignore_object && block)
        __lsan_ignore_object(block);
    return block;
}

void set_sanitizer_death_callback(void (*function)()) {
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(function);
}

} // namespace thrum
