// Thread block: the thread control block (glibc's struct pthread) and the static TLS block of a
// fiber. A fiber has its own, so the following remain correct when it migrates between workers:
// errno, thread_local, malloc's cache, stdio locks, pthread keys, recursive and robust mutexes, and
// C++ exceptions.
//
// The layout is private to glibc. It is determined at run time, not compiled in: from
// libthread_db's _thread_db_* symbols, _dl_get_tls_static_info, __rseq_offset, and a probe thread.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

// Determines the layout, once per process. Returns false (with a reason for a message in *reason)
// if the layout of this C library is unknown, or in sanitizer builds: then ranks must be OS
// threads.
bool discover_thread_blocks(const char **reason);

// Returns the size of a thread block, which is at the top of a fiber's memory. In sanitizer builds:
// what an OS thread needs in addition to its stack.
size_t thread_block_bytes();

// Builds a thread block at the top of the zeroed memory that ends at `top`, for a fiber whose stack
// and block are in [stack_low, top). Returns the thread pointer (FS base), or nullptr if out of
// memory. Called while no other thread is being made, because the block joins a list of the C
// library.
void *make_thread_block(void *top, void *stack_low);
void free_thread_block(void *thread_pointer);

// Does what a new thread does at its start: sets up <ctype.h> tables and resolver state. Runs with
// the FS base of the new block.
void initialise_thread_block();

// Returns the FS base of the caller. Does not use rdfsbase, which valgrind does not support.
inline void *current_thread_pointer() {
    void *pointer;
    __asm__ volatile("movq %%fs:16, %0" : "=r"(pointer)); // tcbhead_t::self
    return pointer;
}

} // namespace thrum
