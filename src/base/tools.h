// Tools: valgrind, or the run time of a sanitizer, that watches the program in this process. Most
// of what they see they find out themselves; this is what they must be told, and asked.
#pragma once
#include <cstddef>
#include <sys/syscall.h>
#include <unistd.h>

// Null where ThreadSanitizer's run time is not loaded.
extern "C" [[gnu::weak]] void __tsan_release(void *);

namespace thrum {

// True under valgrind, whichever of its tools it is.
bool running_on_valgrind();

// [low, high) is a stack: valgrind shall take a jump into it for a switch and not for a huge frame.
void tell_valgrind_of_stack(const void *low, const void *high);

// The sanitizer, if its run time is loaded and keeps state of its own for each OS thread, which
// fibers with thread-local storage of their own would hide from it: "AddressSanitizer" ... Else
// nullptr. UndefinedBehaviorSanitizer has no such state.
const char *thread_bound_sanitizer();

// ThreadSanitizer does not see how an uninstrumented libmpi synchronises ranks. While one of these
// lives, what its thread does is libmpi's affair; and whatever happened before the beginning of one
// has happened before the end of any that ends later.
class WatchedCall {
public:
#ifdef __SANITIZE_THREAD__ // libmpi itself is instrumented
    WatchedCall() {}
#else
    WatchedCall() {
        if (__tsan_release) [[unlikely]]
            begin();
    }

    ~WatchedCall() {
        if (__tsan_release) [[unlikely]]
            end();
    }

    WatchedCall(const WatchedCall &) = delete;
    WatchedCall &operator=(const WatchedCall &) = delete;
#endif

private:
    static void begin();
    static void end();
};

// _exit(), without what a sanitizer has to say about a process that ends in the middle of a call.
[[noreturn]] inline void exit_at_once(int code) {
    for (;;)
        ::syscall(SYS_exit_group, code);
}

// Memory that was mapped, not allocated, and may hold the only pointers to allocated memory: a leak
// check shall look there.
void add_leak_check_root(const void *memory, size_t size_bytes);

// The allocated `block` lives for ever, perhaps without a pointer to it: no leak. Returns it.
void *keep_for_ever(void *block);

// `function` runs on the thread whose error a sanitizer has just reported, before the sanitizer
// ends the process. Without one nothing happens.
void set_sanitizer_death_callback(void (*function)());

} // namespace thrum
