// Thread block: the thread control block (glibc's struct pthread) and the static TLS block of a
// fiber. With one of its own, errno, thread_local, malloc's cache, stdio locks, pthread keys,
// recursive and robust mutexes and C++ exceptions stay right while the fiber migrates between
// workers.
//
// glibc keeps the layout private. It is found at run time, not compiled in: libthread_db's
// _thread_db_* symbols, _dl_get_tls_static_info, __rseq_offset, and a probe thread.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

// Learns the layout, once per process. False (with a reason for a message in *reason) if this C
// library is not understood, or in sanitizer builds: ranks must then be OS threads.
bool discover_thread_blocks(const char **reason);

// Bytes of a thread block, to be set aside at the top of a fiber's memory. In sanitizer builds:
// what an OS thread needs beyond its stack.
size_t thread_block_bytes();

// Builds a thread block at the top of the zeroed memory that ends at `top`, for a fiber whose stack
// and block lie in [stack_low, top). Returns the thread pointer (FS base), or nullptr if out of
// memory. Before other threads exist, or with none being made: it joins a list of the C library's.
void *make_thread_block(void *top, void *stack_low);
void free_thread_block(void *thread_pointer);

// Does what a thread does at its start, on its own FS base: <ctype.h> tables, resolver state.
void initialise_thread_block();

// Returns the FS base of the caller. Not by rdfsbase, which valgrind does not support.
inline void *current_thread_pointer() {
    void *pointer;
    __asm__ volatile("movq %%fs:16, %0" : "=r"(pointer)); // tcbhead_t::self
    return pointer;
}

} // namespace thrum
