// Tools that watch the program in this process: valgrind, or the run time of a sanitizer. They
// detect most things themselves; these functions report and ask the rest.
#pragma once
#include <cstddef>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {

// Whether ThreadSanitizer's run time is loaded. Hidden: read twice in every MPI call.
[[gnu::visibility("hidden")]] extern const bool has_thread_sanitizer;

// Returns whether the process runs under any of valgrind's tools.
bool running_on_valgrind();

// Declares [low, high) a stack, so that valgrind takes a jump into it for a switch of stacks and
// not for a huge frame.
void tell_valgrind_of_stack(const void *low, const void *high);

// Returns the name of the loaded sanitizer ("AddressSanitizer" ...) if it keeps state for each OS
// thread; otherwise nullptr. Fibers with their own thread-local storage would hide that state from
// it. UndefinedBehaviorSanitizer has no such state.
const char *thread_bound_sanitizer();

// Tells ThreadSanitizer how an uninstrumented libmpi synchronises ranks, which it cannot see.
// During a WatchedCall it ignores what the thread does. Everything before the beginning of one
// happens before the end of any that ends later.
class WatchedCall {
public:
    // Ends those of the calling thread, whose frames are being abandoned.
    static void end_all();

#ifdef __SANITIZE_THREAD__ // libmpi itself is instrumented
    WatchedCall() {}
#else
    WatchedCall() {
        if (has_thread_sanitizer) [[unlikely]]
            begin();
    }

    ~WatchedCall() {
        if (has_thread_sanitizer) [[unlikely]]
            end();
    }

    WatchedCall(const WatchedCall &) = delete;
    WatchedCall &operator=(const WatchedCall &) = delete;
#endif

private:
    static void begin();
    static void end();
};

// Calls _exit() without a sanitizer's reports about a process that ends in the middle of a call.
[[noreturn]] inline void exit_at_once(int code) {
    for (;;)
        ::syscall(SYS_exit_group, code);
}

// Makes AddressSanitizer forget what it knew of memory that is mapped anew. The globals of a rank
// that was ended by force are registered still.
void forget_poison(const void *memory, size_t size_bytes);

// Makes AddressSanitizer forget the frames of the calling thread: they are about to be unwound in a
// way that it does not know.
void forget_frames();

// Makes a leak check search this memory, which was mapped, not allocated, and may hold the only
// pointers to allocated memory.
void add_leak_check_root(const void *memory, size_t size_bytes);

// Marks the allocated `block` as living for ever, so that a leak check does not report it even if
// no pointer to it is left. Returns it.
void *keep_for_ever(void *block);

// Sets the function that runs on the thread whose error a sanitizer has just reported, before the
// sanitizer ends the process. Does nothing without a sanitizer.
void set_sanitizer_death_callback(void (*function)());

} // namespace thrum
